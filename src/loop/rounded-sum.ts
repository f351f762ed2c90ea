/**
 * A sum of decimals, such as dollars, to a billionth: its last bits differ by the order in which they were added. From a million
 * on to 15 digits, which is all that such a number holds.
 */
export const roundedSum = (value: number) =>
  Math.abs(value) < 1e6 ? Math.round(value * 1e9) / 1e9 : Number(value.toPrecision(15))
