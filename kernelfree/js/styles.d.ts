/** A style sheet that is imported is a string. */
declare module "*.css" {
  const text: string;
  export default text;
}
