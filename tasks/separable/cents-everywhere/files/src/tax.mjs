/** Returns the tax that the lines of a bill contain, by its percentage: prices include it. */
export function taxesOf(lines) {
  const taxes = {}
  for (const { tax, euros } of lines) taxes[tax] = (taxes[tax] ?? 0) + euros
  for (const tax of Object.keys(taxes)) taxes[tax] = (taxes[tax] * Number(tax)) / (100 + Number(tax))
  return taxes
}
