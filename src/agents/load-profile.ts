import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closest } from 'fastest-levenshtein'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type Problem, UserError } from '../errors.ts'
import { packageRoot } from '../package-root.ts'
import { Profile } from '../schema/profile.ts'

/** Names of the profiles that come with the package. */
export function profileNames(): string[] {
  return readdirSync(join(packageRoot(), 'fixtures', 'profiles'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()
}

/** A behaviour profile by its name, or by the path of a YAML file. Throws `UserError` with all that is wrong in it. */
export function loadProfile(nameOrPath: string): Profile {
  const named = !/[\\/]|\.ya?ml$/.test(nameOrPath)
  const path = named ? join(packageRoot(), 'fixtures', 'profiles', `${nameOrPath}.yaml`) : nameOrPath
  if (!existsSync(path)) throw new UserError(unknownProfile(nameOrPath, named))
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UserError({
      where: `profile ${nameOrPath}`,
      what: `cannot be read: ${(error as Error).message}`,
    })
  }
  return parseProfile(text, named ? `profile ${nameOrPath}` : nameOrPath)
}

function unknownProfile(name: string, named: boolean): Problem {
  if (!named)
    return { where: `profile ${name}`, what: 'there is no such file', fix: 'Give a path or a name.' }
  const names = profileNames()
  const fix = `Did you mean "${closest(name, names)}"? Known: ${names.join(', ')}; or give the path of a .yaml file.`
  return { where: `profile ${name}`, what: 'there is no profile of this name', fix }
}

/** A profile out of YAML text. `where` names it in problems, each with its line. */
export function parseProfile(text: string, where: string): Profile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) {
    throw new UserError(
      document.errors.map((error) => ({
        where: `${where}:${lines.linePos(error.pos[0]).line}`,
        what: error.message.split('\n', 1)[0] as string,
        fix: 'Write valid YAML.',
      })),
    )
  }
  const parsed = Profile.safeParse(document.toJS())
  if (parsed.success) return parsed.data
  const lineOf = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return `:${lines.linePos(node.range[0]).line}`
    }
    return ''
  }
  throw new UserError(parsed.error.issues.flatMap((issue) => problemsOf(issue, where, lineOf)))
}

function problemsOf(
  issue: z.core.$ZodIssue,
  where: string,
  lineOf: (path: readonly PropertyKey[]) => string,
): Problem[] {
  const at = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(issue.path)
    return issue.keys.map((key) => ({
      where: `${where}${lineOf([...issue.path, key])}`,
      what: `unknown field "${at ? `${at}.` : ''}${key}"`,
      ...(known.length > 0 && { fix: `Did you mean "${closest(key, known)}"? Known: ${known.join(', ')}.` }),
    }))
  }
  return [{ where: `${where}${lineOf(issue.path)}`, what: `${at || 'the file'}: ${issue.message}` }]
}

/** The fields that a profile may have at a path. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: unknown = Profile
  for (const key of path) {
    const shape = shapeOf(schema)
    schema = shape?.[key as string]
  }
  return Object.keys(shapeOf(schema) ?? {})
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  let found = schema as { shape?: Record<string, unknown>; unwrap?: () => unknown } | undefined
  while (found && !found.shape && found.unwrap) found = found.unwrap() as typeof found
  return found?.shape
}
