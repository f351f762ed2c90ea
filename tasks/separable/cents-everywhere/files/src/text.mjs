/** Writes a sum of money for people. */
export const moneyText = (euros) => `${euros.toFixed(2)} €`

/** Writes a bill as lines of text. */
export function billText(bill) {
  return [
    ...bill.lines.map(({ count, name, euros }) => `${count} x ${name}: ${moneyText(euros)}`),
    `shipping: ${moneyText(bill.shipping)}`,
    `to pay: ${moneyText(bill.euros)}`,
  ].join('\n')
}
