import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { type FormatName, formats } from '../reports/registry.ts'

/** The format that `--format` names. Throws `UserError` when there is none such. */
export function formatOf(name: string, help: string): FormatName {
  if (!Object.hasOwn(formats, name))
    throw new UserError(unknownName(`--format ${name}`, 'format', name, Object.keys(formats), help))
  return name as FormatName
}
