/** A sum of decimals, such as dollars, to a billionth: its last bits differ by the order in which they were added. */
export const roundedSum = (value: number) => Math.round(value * 1e9) / 1e9
