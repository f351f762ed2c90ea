import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../helpers/runs/cli.ts'

export const places = [
  ...['instruction', 'file', 'title', 'check', 'grader'],
  ...[
    'prompt',
    'context',
    'system',
    'note',
    'state',
    'approval',
    'branch',
    'edit',
    'answer',
    'detail',
    'thrown',
  ],
  ...['option', 'default', 'printed', 'reply', 'folder', 'path', 'failure', 'adapter', 'stray'],
] as const
type Place = (typeof places)[number]

// Each place has a secret of its own, awkward enough for patterns, JSON and URLs; one is a variable that only --secret names.
export const nameOf = (place: Place) => (place === 'state' ? 'PLAIN_STATE' : `${place.toUpperCase()}_API_KEY`)
export const secrets = Object.fromEntries(
  places.map((place, i) => [place, `s3cret-${place}-"$&+.*\\${place === 'path' ? '' : '/'}${i}é`]),
) as Record<Place, string>
export const env = {
  ...Object.fromEntries(places.map((place) => [nameOf(place), secrets[place]])),
  // One that the shell's command line can hold inside [option=…].
  OPTION_API_KEY: 'optionsecret0123456789',
}
Object.assign(secrets, { option: env.OPTION_API_KEY })

/** Files by path into a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const json = JSON.stringify

/** A suite of one task, a strategy and an agent that put every secret where it does not belong. */
export function plant(folder: string): void {
  write(folder, {
    'suite/leaky/task.yaml': [
      ...['id: leaky', 'version: 1', `title: ${json(`A title ${secrets.title}`)}`, 'output: files'],
      ...['language: javascript', 'editable: ["**"]', 'checks: { runner: node-test, expectTests: 1 }'],
      ...[
        'graders: [{ kind: tests, runner: node-test, expectTests: 1 }]',
        'licence: MIT',
        'source: test',
        'properties: {}',
      ],
    ].join('\n'),
    'suite/leaky/instruction.md': `Use the key ${secrets.instruction}.`,
    'suite/leaky/files/src/a.mjs': `export const key = ${json(secrets.file)}\n`,
    'suite/leaky/checks/a.test.mjs': testWith(secrets.check),
    'suite/leaky/tests/a.test.mjs': testWith(secrets.grader),
    'suite/leaky/solution/src/a.mjs': 'export const key = 1\n',
    'agent.mjs': `import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
const { REPLY_API_KEY, FOLDER_API_KEY, PATH_API_KEY, FAILURE_API_KEY, ADAPTER_API_KEY } = process.env
export const paid = true
export default async (request, { folder }) => {
  if (request.prompt.includes('FAIL NOW')) return { error: { reason: 'server', message: 'bad key ' + FAILURE_API_KEY } }
  if (request.prompt.includes('BREAK NOW')) throw new Error('adapter with ' + ADAPTER_API_KEY)
  if (request.role === 'judge')
    return ['I hold', REPLY_API_KEY, encodeURIComponent(REPLY_API_KEY), btoa('user:' + encodeURIComponent(REPLY_API_KEY)),
      Buffer.from('Bearer ' + REPLY_API_KEY).toString('base64'), JSON.stringify({ REPLY_API_KEY })].join(' ')
  const path = await folder()
  writeFileSync(join(path, 'made.txt'), 'found ' + FOLDER_API_KEY)
  writeFileSync(join(path, PATH_API_KEY + '.txt'), 'x')
  return 'done'
}
`,
    'leaky.mjs': `import { defineStrategy, z } from ${json(join(root, 'dist/bench/api.js'))}
const of = (place) => process.env[place + '_API_KEY']
export default defineStrategy({
  name: 'leaky', summary: '', roles: { solver: 'produce', judge: 'judge' },
  options: z.object({ key: z.string().default(of('DEFAULT')), more: z.string().default(of('DEFAULT')) }),
  async run({ ask, note, checkpoint, approve, branch, workspace, options }) {
    console.log('printed', of('PRINTED'), Object.values(options).join(' '))
      note({ type: 'trace', text: of('NOTE'), [of('NOTE')]: { deep: [of('NOTE')] } })
    await checkpoint({ state: process.env.PLAIN_STATE, [process.env.PLAIN_STATE]: 1 })
    await approve('May I use ' + of('APPROVAL') + '?')
    await branch('b ' + of('BRANCH'), ({ ask }) =>
      ask('judge', 'in a branch ' + of('PROMPT'), { show: { named: of('CONTEXT') }, system: of('SYSTEM') }))
    await ask('solver', 'work with ' + workspace.read('src/a.mjs') + Object.values(options).join(' '))
    const { output } = await workspace.check()
    await ask('judge', output)
    for (const word of ['FAIL NOW', 'BREAK NOW']) await ask('judge', word).catch((error) => note({ type: 'caught', error: String(error), cause: String(error.cause) }))
    workspace.apply([{ path: 'edited.txt', content: of('EDIT') }])
    await ask('judge', workspace.read('edited.txt'))
    if (options.more === 'throw') throw new Error('thrown with ' + of('THROWN'))
    return { stopReason: 'done', answer: of('ANSWER'), detail: of('DETAIL'), state: { kept: process.env.PLAIN_STATE } }
  },
})
`,
  })
}

const testWith = (secret: string) =>
  `import test from 'node:test'
import assert from 'node:assert'
test('fails', () => { console.log(JSON.stringify(process.env)); assert.fail(${json(secret)} + ' ' + Object.keys(process.env).filter((name) => name.endsWith('_API_KEY')).join()) })\n`

/** Returns a secret in plain text and in common encodings. */
const formsOf = (secret: string) => [
  secret,
  json(secret).slice(1, -1),
  json(json(secret)).slice(3, -3),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(`Bearer ${secret}`).toString('base64').slice(12, -4),
  Buffer.from(secret).toString('hex'),
]

/** Paths of all files of a folder. */
export function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Returns the places of secrets in printed text and in all files of a folder, file names included. */
export function leaks(texts: Readonly<Record<string, string>>, folder: string): string[] {
  const all = { ...texts, names: existsSync(folder) ? everyFile(folder).join('\n') : '' }
  for (const file of existsSync(folder) ? everyFile(folder) : [])
    Object.assign(all, { [file.slice(folder.length + 1)]: readFileSync(file, 'utf8') })
  return Object.entries(all).flatMap(([where, text]) =>
    places.flatMap((place) =>
      formsOf(secrets[place]).some((form) => text.includes(form)) ? [`${place} in ${where}`] : [],
    ),
  )
}
