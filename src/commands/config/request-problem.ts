import type { Problem } from '../../text/errors.ts'
import { requestFields } from './validate-request.ts'

/** Returns a problem of a request in the request's own words: `--tool-turns` is its field `toolTurns`. Commands stay as they are. */
export function inRequestWords({ where, what, fix }: Problem): Problem {
  const [, flag = '', rest = ''] = /^--([\w-]+)(.*)$/s.exec(where) ?? []
  const field = fieldOf(flag)
  return {
    where: field === undefined ? where : `run() ${field}${rest}`,
    what: withFields(what),
    ...(fix !== undefined && { fix: withFields(fix) }),
  }
}

const withFields = (text: string) =>
  /\bbench [a-z]/.test(text)
    ? text
    : text.replace(/(?<![\w-])--([a-z][\w-]*)/g, (flag, name: string) => fieldOf(name) ?? flag)

/** Returns the field of a request that sets the same as a flag; undefined if there is none. */
function fieldOf(flag: string): string | undefined {
  const field = flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return requestFields.includes(field) ? field : undefined
}
