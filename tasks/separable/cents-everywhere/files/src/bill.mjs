import { shippingOf } from './shipping.mjs'
import { taxesOf } from './tax.mjs'
import { redeem } from './voucher.mjs'

/** Returns the bill of these lines, with shipping, after a voucher if there is one. */
export function billOf(lines, voucher = { euros: 0 }) {
  const goods = lines.reduce((sum, { euros }) => sum + euros, 0)
  const shipping = shippingOf(goods)
  const paid = redeem(goods + shipping, voucher)
  return { version: 1, lines, shipping, taxes: taxesOf(lines), euros: paid.euros, voucher: paid.voucher }
}
