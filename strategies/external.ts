import { z } from 'zod'
import { ProgramVariables } from '../src/schema/variable-name.ts'
import { type Documents, defineStrategy } from '../src/strategy.ts'
import { splitCommand } from '../src/text/command-words.ts'
import { UserError } from '../src/text/errors.ts'
import { isKeyFile } from '../src/text/key-names.ts'
import { shorten } from '../src/text/shorten.ts'
import { endWith } from '../src/workflows/end.ts'

const Role = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be small letters, digits and dashes, and begin with a letter')
const Names = z
  .string()
  .refine((text) => rolesIn(text).every((role) => Role.safeParse(role).success), {
    error: 'must be names of roles with colons between them: planner:coder',
  })
  .refine((text) => new Set(rolesIn(text)).size === rolesIn(text).length, { error: 'names a role twice' })

/** What `resolve` makes of the command. */
const Program = z.strictObject({
  command: z.array(z.string()),
  /** The files that the command names, where it has no folder. */
  files: z.record(z.string(), z.string()),
  /** SHA-256 of the folder. */
  digest: z.string().optional(),
  missing: z.array(z.string()),
})

/** A program of yours works in the trial's folder, such as an application of another framework. It asks models through a gateway. */
export const external = defineStrategy({
  name: 'external',
  summary: 'A program of yours, such as a LangGraph or CrewAI application; it asks models through a gateway.',
  roles: { app: 'produce' },
  rolesOf: ({ roles }) => Object.fromEntries(rolesIn(roles).map((role) => [role, 'produce' as const])),
  declaration: ({ roles }) => ({
    flow: { maybe: flowOf(rolesIn(roles) as 'app'[]) },
    onDemand: rolesIn(roles) as 'app'[],
    stop: 'its program has ended',
    context: 'what the program sends',
  }),
  document: 'command',
  programs: [],
  asksModels: ({ program, folder, env }) => ({
    command: program?.command ?? [],
    folder,
    digest: program?.digest,
    env,
    missing: program?.missing ?? [],
  }),
  options: z.strictObject({
    command: z
      .union([z.string(), z.array(z.string())])
      .default('')
      .describe('program and arguments, without a shell; the text after external:'),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe('folder with the code and the packages, which the program may read'),
    roles: Names.default('app').describe('names of its roles, with colons between them'),
    timeoutSeconds: z
      .number()
      .positive()
      .default(600)
      .describe('longest time of the program; the time in which it waits for its turn does not count'),
    env: ProgramVariables.default({}).describe('variables of its environment; config file only'),
    program: Program.optional().describe('what the command comes to; set by bench'),
  }),
  resolve(options, documents) {
    if (options.program)
      throw new UserError({
        where: 'option program',
        what: 'bench sets this option itself',
        fix: 'Leave it out.',
      })
    return { ...options, program: readProgram(options, documents) }
  },

  async run(context) {
    const { instruction, properties, options, workspace } = context
    const { program, folder, roles, timeoutSeconds, env } = options
    const { command = [], files = {}, digest } = program ?? {}
    const task = { instruction, properties, roles: rolesIn(roles), timeoutSeconds }
    const end = await context.stage('application', {
      command,
      files: { ...files, 'task.json': `${JSON.stringify(task, null, 2)}\n`, 'instruction.txt': instruction },
      state: '',
      timeoutMs: timeoutSeconds * 1000,
      env,
      models: {
        stdin: instruction,
        ...(folder !== undefined && digest !== undefined && { folder: { path: folder, digest } }),
      },
    })
    workspace.adopt(end.workspace)
    const answer = (end.stdout ?? '').trim()
    // What ended it says why, and not a request that broke off with it.
    if (end.exitCode === null) throw new Error(failureText(end, timeoutSeconds))
    if (end.exitCode !== 0) throw end.failedAsk ?? new Error(failureText(end, timeoutSeconds))
    const asked = end.asks === 0 ? 'it asked no model' : `requests to models: ${end.asks}`
    return endWith(context, { answer, stopReason: 'done', detail: asked })
  },
})

/** Which of its roles it asks, and in which order, is its own affair. */
const flowOf = (roles: 'app'[]) => (roles.length === 1 ? (roles[0] as 'app') : { either: roles })

const rolesIn = (text: string) => text.split(':').map((role) => role.trim())

function failureText(
  { exitCode, reason = 'was ended', output }: { exitCode: number | null; reason?: string; output: string },
  timeoutSeconds: number,
): string {
  const isLate = reason.startsWith('still running')
  const limit = isLate ? `was still running after ${timeoutSeconds} s, its timeoutSeconds` : reason
  const said = shorten(lastError(output), 300)
  return `the program ${exitCode === null ? limit : `ended with exit code ${exitCode}`}${said === '' ? '' : `: ${said}`}`
}

/** Returns the line of an output that says what broke: the last one. Node's error stands below the place that it points to. */
function lastError(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const last = lines.at(-1) ?? ''
  const pointer = /^Node\.js v\d/.test(last) ? lines.findLastIndex((line) => /^\s*\^+$/.test(line)) : -1
  return (pointer < 0 ? last : (lines[pointer + 1] ?? last)).trim()
}

/** Folders of packages, which others wrote: certificates in them are no keys. */
const installed = /(?:^|\/)(?:node_modules|site-packages|dist-packages|lib64?)\//

/** A word that is meant as a file of code. */
const script = /^[^-].*\.(?:[cm]?[jt]s|py|sh|rb|pl|php|lua)$/

function readProgram(
  { command: given, folder }: { command: string | string[]; folder?: string | undefined },
  documents: Documents,
): z.output<typeof Program> {
  const split =
    typeof given !== 'string' ? { words: given } : given === '' ? { words: [] } : splitCommand(given)
  if ('problem' in split)
    throw new UserError({
      where: 'option command',
      what: `the command ${split.problem}`,
      fix: 'Write program and arguments as for a shell, or a list of words in the config file.',
    })
  const { words } = split
  if (folder !== undefined) {
    const found = documents.folder?.(folder)
    if (!found)
      throw new UserError({
        where: 'option folder',
        what: `there is no folder ${folder}`,
        fix: 'Paths are relative to the working folder.',
      })
    const keys = found.files.find((path) => isKeyFile(path) && !installed.test(path))
    if (keys !== undefined)
      throw new UserError({
        where: 'option folder',
        what: `${folder} holds ${keys}, which is named like a key, and the program may read it`,
        fix: 'Move it out of the folder: the gateway gives the program a stand-in for each key.',
      })
    const held = new Set(found.files)
    const plain = (word: string) => word.replace(/^(?:\{folder\}\/|(?:\.\/)+)/, '')
    return {
      command: words.map((word) => (held.has(plain(word)) ? `{folder}/${plain(word)}` : word)),
      files: {},
      digest: found.digest,
      missing: words.filter((word) => script.test(word) && !held.has(plain(word))),
    }
  }
  const files: Record<string, string> = {}
  const missing: string[] = []
  const command = words.map((word, place) => {
    if (place === 0 || !script.test(word)) return word
    const text = documents.read(word)
    if (text === undefined) {
      missing.push(word)
      return word
    }
    const plain = `app/${word.replace(/^.*[\\/]/, '')}`
    const name = (files[plain] ?? text) === text ? plain : plain.replace('/', `/${place}/`)
    files[name] = text
    return `{stage}/${name}`
  })
  return { command, files, missing }
}
