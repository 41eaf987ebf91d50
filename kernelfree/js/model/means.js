// What of all weights is kept of a long text.

/**
 * Of each head, the weight that the token before gets, the one after, the token itself, and then
 * each token of the text: in the mean over the tokens that look.
 * @param {Float32Array} weights (layers, heads, tokens, tokens)
 * @param {number} length tokens
 */
export function means(weights, length) {
  const wide = length + 3;
  const found = new Float32Array((weights.length / length ** 2) * wide);
  for (let head = 0, from = 0; from < weights.length; head += wide)
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++) {
        const weight = weights[from++];
        if (j === i - 1) found[head] += weight / (length - 1);
        if (j === i + 1) found[head + 1] += weight / (length - 1);
        if (j === i) found[head + 2] += weight / length;
        found[head + 3 + j] += weight / length;
      }
  return found;
}
