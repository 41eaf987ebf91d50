// Speaker's notes, in a window of their own.

export class Notes {
  constructor(lesson) {
    this.lesson = lesson;
  }
  open() {}
  show() {}
}
