import { readFileSync } from 'node:fs'
import { writeAtomic } from '../../src/base/write-atomic.ts'
import { ChainState } from '../../src/schema/stage/chain-state.ts'
import { type Problem, problemAt, UserError } from '../../src/text/errors.ts'
import { inWords } from '../../src/text/issue-text.ts'
import { schemaProblems } from '../../src/yaml/schema-problems.ts'

type Fields = Readonly<Record<string, unknown>>

/** The flags of `state`. */
interface StateFlags {
  set: readonly string[]
  json?: boolean | undefined
}

/** bench takes no larger state file. */
const mostBytes = 8 * 1024 ** 2

/**
 * `state [FIELD]` inside a stage: prints the state file or one field of it, a text as it is and all else as JSON. `--set` changes
 * fields and replaces the file as a whole. Returns the exit code: 1 if there is no such field. Throws `UserError`.
 */
export async function state(field: string | undefined, { set, json }: StateFlags): Promise<number> {
  const file = process.env.BENCH_STATE
  if (!file)
    throw new UserError({
      where: 'BENCH_STATE',
      what: 'is not set: state works inside a stage only',
      fix: 'Start the program by context.stage() of a method, or by bench stage.',
    })
  const fields = readState(file)
  if (set.length > 0) {
    if (field !== undefined)
      throw new UserError(problemAt(field, 'conflicts with --set', 'Print the field by a second call.'))
    writeState(file, fields, changed(fields, set))
    return 0
  }
  if (field === undefined) {
    process.stdout.write(`${JSON.stringify(fields, null, json ? undefined : 2)}\n`)
    return 0
  }
  const value = valueAt(fields, field.split('.'))
  if (value === undefined) {
    process.stderr.write(
      `bench: [${field}] is not in the state. Its fields: ${Object.keys(fields).join(', ') || 'none'}.\n`,
    )
    return 1
  }
  process.stdout.write(`${typeof value === 'string' && !json ? value : JSON.stringify(value)}\n`)
  return 0
}

function readState(file: string): Fields {
  const value = parseJson(readText(file, 'BENCH_STATE'))
  if (isFields(value)) return value
  throw new UserError({
    where: 'BENCH_STATE',
    what: 'is no object of JSON',
    fix: 'A program has overwritten it. Write it by bench state --set alone.',
  })
}

/** Writes a state file. The state of a chain must be a valid one, and of the same workflow; any other is free. */
function writeState(file: string, before: Fields, after: Fields): void {
  const problems: Problem[] = []
  if ('workflow_id' in before) {
    for (const name of ['version', 'workflow_id'])
      if (before[name] !== after[name])
        problems.push({ where: `--set ${name}`, what: 'names the workflow, and cannot be changed' })
    const { error } = ChainState.safeParse(after, { ...inWords, jitless: true })
    const found = schemaProblems(error?.issues ?? [], { schema: ChainState, value: after })
    problems.push(...found.map(({ path, ...rest }) => ({ where: `--set ${path.join('.')}`, ...rest })))
  }
  const text = `${JSON.stringify(after, null, 2)}\n`
  if (Buffer.byteLength(text) > mostBytes)
    problems.push({
      where: '--set',
      what: `makes the state larger than ${mostBytes} bytes`,
      fix: 'Keep long texts in the workspace.',
    })
  if (problems.length > 0) throw new UserError(problems)
  try {
    writeAtomic(file, text, { durable: true })
  } catch (error) {
    const what = `${file} cannot be written (${(error as NodeJS.ErrnoException).code})`
    throw new UserError({ where: 'BENCH_STATE', what, fix: 'It is as it was before.' })
  }
}

function changed(fields: Fields, set: readonly string[]): Fields {
  const problems: Problem[] = []
  let after = fields
  for (const one of set) {
    const where = `--set ${one}`
    const at = one.indexOf('=')
    const value = at < 1 ? undefined : parseJson(one.slice(at + 1))
    const made = value === undefined ? undefined : withValue(after, one.slice(0, at).split('.'), value)
    if (made) after = made
    else if (value !== undefined)
      problems.push(problemAt(where, 'names a field of a value that has no fields', 'Set the value whole.'))
    else
      problems.push({
        where,
        what: 'is not FIELD=JSON',
        fix: "Write for example --set 'plan=\"First …\"', or --set 'own.attempts=2'.",
      })
  }
  if (problems.length > 0) throw new UserError(problems)
  return after
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return valueAt((value as Fields)[name], rest)
}

function withValue(
  fields: Fields,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Fields | undefined {
  if (rest.length === 0) return { ...fields, [name]: value }
  const inner = Object.hasOwn(fields, name) ? fields[name] : {}
  const made = isFields(inner) ? withValue(inner, rest, value) : undefined
  return made && { ...fields, [name]: made }
}

/** Reads a text file that a flag or a variable names. Throws `UserError`. */
export function readText(file: string, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError({
      where,
      what:
        code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
          ? `${file} is no UTF-8 text`
          : `${file} cannot be read (${code})`,
      fix: 'Give a text file.',
    })
  }
}
