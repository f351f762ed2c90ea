import { shippingOf } from './shipping.mjs'
import { taxesOf } from './tax.mjs'
import { redeem } from './voucher.mjs'

/** Returns the bill of these lines, with shipping, after a voucher if there is one. */
export function billOf(lines, voucher = { cents: 0 }) {
  const goods = lines.reduce((sum, { cents }) => sum + cents, 0)
  const shipping = shippingOf(goods)
  const paid = redeem(goods + shipping, voucher)
  return { version: 2, lines, shipping, taxes: taxesOf(lines), cents: paid.cents, voucher: paid.voucher }
}
