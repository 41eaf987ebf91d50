// PyTorch's random numbers on a CPU, to the printed digit: the Mersenne twister, and what it makes of it.

export class Twister {
  /** Of a seed 32 bits count. */
  constructor(seed) {
    const state = new Uint32Array(624);
    state[0] = seed >>> 0;
    for (let i = 1; i < 624; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    this.state = state;
    this.at = 624;
    /** A second normal number, kept for the next call. */
    this.kept = undefined;
  }

  word() {
    const { state } = this;
    if (this.at === 624) {
      for (let i = 0; i < 624; i++) {
        const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
        state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.at = 0;
    }
    let y = state[this.at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  single() {
    return (this.word() & 0xffffff) / 2 ** 24;
  }

  double() {
    const high = this.word() & 0x1fffff;
    return (high * 2 ** 32 + this.word()) / 2 ** 53;
  }

  one(dtype) {
    return dtype === "float64" ? this.double() : this.single();
  }

  rand(count, dtype, low, high) {
    const round = dtype === "float64" ? (x) => x : Math.fround;
    const [from, wide] = [round(low), round(round(high) - round(low))];
    return Float64Array.from({ length: count }, () => round(round(this.one(dtype) * wide) + from));
  }

  /** Box and Muller: by pairs in double precision, or from 16 numbers on in sixteens, the last drawn again. */
  randn(count, dtype, mean, std) {
    if (count < 16) return Float64Array.from({ length: count }, () => this.normal() * std + mean);
    const data = Float64Array.from({ length: count }, () => this.one(dtype));
    const turn = (start) => {
      for (let i = start; i < start + 8; i++) {
        const radius = Math.sqrt(-2 * Math.log(1 - data[i]));
        const angle = 2 * Math.PI * data[i + 8];
        data[i] = radius * Math.cos(angle) * std + mean;
        data[i + 8] = radius * Math.sin(angle) * std + mean;
      }
    };
    for (let start = 0; start + 16 <= count; start += 16) turn(start);
    if (count % 16) {
      for (let i = count - 16; i < count; i++) data[i] = this.one(dtype);
      turn(count - 16);
    }
    return data;
  }

  normal() {
    const { kept } = this;
    this.kept = undefined;
    if (kept !== undefined) return kept;
    const [first, second] = [this.double(), this.double()];
    const radius = Math.sqrt(-2 * Math.log1p(-second));
    this.kept = radius * Math.sin(2 * Math.PI * first);
    return radius * Math.cos(2 * Math.PI * first);
  }

  randint(count, _, low, high) {
    return Float64Array.from({ length: count }, () => (this.word() % (high - low)) + low);
  }

  randperm(count) {
    const order = Float64Array.from({ length: count }, (_, i) => i);
    for (let i = 0; i < count - 1; i++) {
      const other = i + (this.word() % (count - i));
      [order[i], order[other]] = [order[other], order[i]];
    }
    return order;
  }

  /** 1 with a chance, as PyTorch draws it on a processor that is not Intel's. */
  bernoulli(count, _, chance) {
    return Float64Array.from({ length: count }, () => Number(this.double() < chance));
  }
}
