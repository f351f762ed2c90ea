/** Writes a sum of money for people. */
export const moneyText = (cents) => `${(cents / 100).toFixed(2)} €`

/** Writes a bill as lines of text. */
export function billText(bill) {
  return [
    ...bill.lines.map(({ count, name, cents }) => `${count} x ${name}: ${moneyText(cents)}`),
    `shipping: ${moneyText(bill.shipping)}`,
    `to pay: ${moneyText(bill.cents)}`,
  ].join('\n')
}
