// A model in a kernel: it is asked by messages.

export class Kernel {
  asked = new Map();
  last = 0;

  constructor(model) {
    this.model = model;
    this.hear = ({ number, tokens }, buffers) => {
      // A copy begins where an array of floats may begin.
      const [weights, embedding] = buffers.map(
        (one) => new Float32Array(new Uint8Array(one.buffer ?? one).slice().buffer),
      );
      this.asked.get(number)?.({ tokens, weights, embedding });
      this.asked.delete(number);
    };
    model.on("msg:custom", this.hear);
  }

  /** As an Encoder's. */
  encode(text, changes) {
    const number = ++this.last;
    this.model.send({ number, text, changes });
    return new Promise((done) => this.asked.set(number, done));
  }

  close() {
    this.model.off("msg:custom", this.hear);
  }
}
