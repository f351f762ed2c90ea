import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { Profile } from '../../schema/agent/profile.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { readYaml } from '../../yaml/read-yaml.ts'

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
  const near = didYouMean(name, names, '"')
  const fix = `${near ? `${near} ` : ''}Known: ${names.join(', ')}; or give the path of a .yaml file.`
  return { where: `profile ${name}`, what: 'there is no profile of this name', fix }
}

/** A profile out of YAML text; `where` names it in problems, each with its line and field. Throws `UserError` with all of them. */
export function parseProfile(text: string, where: string): Profile {
  const problems: Problem[] = []
  const read = readYaml(text, where, Profile, problems)
  if (!read) throw new UserError(problems)
  return read.data
}
