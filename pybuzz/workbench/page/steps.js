/** The smallest of 1, 2, 5 x 10^k that is not below a length: what scales count in. */
export function stepAtLeast(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= length);
}
