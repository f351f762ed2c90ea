import { UserError } from '../../text/errors.ts'

const hour = 3_600_000
const units = { h: hour, d: 24 * hour, w: 7 * 24 * hour } as const

/** Reads an age such as `30d`, `12h` or `2w`; ms. Throws `UserError`. */
export function parseAge(flag: string, text: string | undefined): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text ?? '') ?? []
  const ms = Number(count) * (units[unit as keyof typeof units] ?? 0)
  if (ms > 0) return ms
  throw new UserError({
    where: text === undefined ? flag : `${flag} ${text}`,
    what: text === undefined ? 'is missing' : 'is not an age of one hour or more',
    fix: `Write hours, days or weeks, such as ${flag} 30d, 12h or 2w.`,
  })
}
