import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { Profile } from '../../schema/agent/profile.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { readYaml } from '../../yaml/read-fields.ts'
import { withoutLabel } from '../agent.ts'

/** Returns the names of the profiles in the package. */
export function profileNames(): string[] {
  return readdirSync(join(packageRoot(), 'fixtures', 'profiles'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()
}

/** Loads a behaviour profile by name or by the path of a YAML file. Throws one `UserError` with all its problems. */
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
    return {
      where: `profile ${name}`,
      what: 'there is no such file',
      fix: 'Give the path or the name of a profile.',
    }
  const names = profileNames()
  const near = didYouMean(name, names, '"')
  const fix = `${near ? `${near} ` : ''}Known: ${names.join(', ')}; or give the path of a .yaml file.`
  return { where: `profile ${name}`, what: 'there is no profile with this name', fix }
}

/** Parses a profile. `where` names it in problems, which have line and field. Throws one `UserError` with all of them. */
export function parseProfile(text: string, where: string): Profile {
  const problems: Problem[] = []
  const read = readYaml(text, where, Profile, problems)
  if (!read) throw new UserError(problems)
  return read.data
}

/** Returns the profile of one of its models; the profile itself for an empty name. Throws `UserError` for an unknown model. */
export function profileOfModel(profile: Profile, model: string): Profile {
  if (model === '') return profile
  const { models = {} } = profile
  const own = Object.hasOwn(models, model) ? models[model] : undefined
  if (own) return { ...profile, ...own, skills: { ...profile.skills, ...own.skills } }
  const known = Object.keys(models)
  const fix =
    known.length > 0
      ? (didYouMean(model, known, '"') ?? `Its models are ${known.join(', ')}.`)
      : 'Write simulated, or take a profile with models, such as --profile mix.'
  throw new UserError({
    where: `agent simulated:${model}`,
    what: `the profile ${profile.id} has no such model`,
    fix,
  })
}

/** Whether an agent of this name is simulated: `simulated`, or `simulated:MODEL`, with or without a label. */
export const isSimulatedName = (agent: string): boolean => /^simulated(?::|$)/.test(withoutLabel(agent))
