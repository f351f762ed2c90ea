import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { bench, benchOk, recordsOf, refused, root, stepsOf } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

const places = [
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
const nameOf = (place: Place) => (place === 'state' ? 'PLAIN_STATE' : `${place.toUpperCase()}_API_KEY`)
const secrets = Object.fromEntries(
  places.map((place, i) => [place, `s3cret-${place}-"$&+.*\\${place === 'path' ? '' : '/'}${i}é`]),
) as Record<Place, string>
const env = {
  ...Object.fromEntries(places.map((place) => [nameOf(place), secrets[place]])),
  // One that the shell's command line can hold inside [option=…].
  OPTION_API_KEY: 'optionsecret0123456789',
}
Object.assign(secrets, { option: env.OPTION_API_KEY })

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const json = JSON.stringify

/** A suite of one task, a strategy and an agent that put every secret where it does not belong. */
function plant(folder: string): void {
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
    'suite/leaky/checks/a.test.mjs': testThatSays(secrets.check),
    'suite/leaky/tests/a.test.mjs': testThatSays(secrets.grader),
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
  name: 'leaky', summary: '', diagram: '', roles: { solver: 'produce', judge: 'judge' },
  options: z.object({ key: z.string().default(of('DEFAULT')), more: z.string().default(of('DEFAULT')) }),
  async run({ ask, note, checkpoint, approve, branch, workspace, options }) {
    console.log('printed', of('PRINTED'), Object.values(options).join(' '))
      note({ type: 'trace', text: of('NOTE'), [of('NOTE')]: { deep: [of('NOTE')] } })
    await checkpoint({ state: process.env.PLAIN_STATE, [process.env.PLAIN_STATE]: 1 })
    await approve('May I use ' + of('APPROVAL') + '?')
    await branch('b ' + of('BRANCH'), ({ ask }) =>
      ask('judge', 'in a branch ' + of('PROMPT'), { context: { named: of('CONTEXT') }, system: of('SYSTEM') }))
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

const testThatSays = (secret: string) =>
  `import test from 'node:test'
import assert from 'node:assert'
test('fails', () => { console.log(JSON.stringify(process.env)); assert.fail(${json(secret)} + ' ' + Object.keys(process.env).filter((name) => name.endsWith('_API_KEY')).join()) })\n`

/** A secret as someone would look for it, and as encodings show it. */
const formsOf = (secret: string) => [
  secret,
  json(secret).slice(1, -1),
  json(json(secret)).slice(3, -3),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(`Bearer ${secret}`).toString('base64').slice(12, -4),
  Buffer.from(secret).toString('hex'),
]

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Where secrets stand in what was printed and in all files of a folder, names included. */
function leaks(texts: Readonly<Record<string, string>>, folder: string): string[] {
  const all = { ...texts, names: existsSync(folder) ? everyFile(folder).join('\n') : '' }
  for (const file of existsSync(folder) ? everyFile(folder) : [])
    Object.assign(all, { [file.slice(folder.length + 1)]: readFileSync(file, 'utf8') })
  return Object.entries(all).flatMap(([where, text]) =>
    places.flatMap((place) =>
      formsOf(secrets[place]).some((form) => text.includes(form)) ? [`${place} in ${where}`] : [],
    ),
  )
}

it('lets no secret into the run folder or onto the screen, wherever it stood, and replays and goes on the same', async () => {
  const cwd = tempFolder()
  plant(cwd)
  const args = [
    ...[
      '--tasks',
      `native:${join(cwd, 'suite')}`,
      '--methods',
      'leaky.mjs[key=optionsecret0123456789],B=leaky.mjs[more=throw]',
    ],
    ...[
      '--mode',
      'live',
      '--agents',
      'scripted:agent.mjs',
      '--secret',
      'PLAIN_STATE',
      '--out',
      'run',
      '--parallel',
      '1',
      // Each waits before it, and one shows what is told of a retry.
      '--retries',
      '1',
    ],
  ]
  const ended = await bench(args, { cwd, env })
  const run = join(cwd, 'run')
  expect(leaks({ stdout: ended.stdout, stderr: ended.stderr }, run)).toEqual([])
  // All that was to leak was really there.
  const kept = everyFile(run)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const marked = places.filter((place) => (kept + ended.stderr).includes(`[redacted ${nameOf(place)}]`))
  expect(marked).toEqual(places.filter((place) => !['stray', 'title', 'answer'].includes(place)))
  expect(recordsOf(run).map(({ outcome }) => outcome.status)).toEqual(['completed', 'failed'])
  // A sandbox has no key in its environment.
  expect(stepsOf(run).filter(({ kind }) => kind === 'check').length).toBe(2)
  expect(kept).not.toMatch(/[A-Z]+_API_KEY,[A-Z]+_API_KEY/)

  const replayed = await bench(['replay', 'run'], { cwd, env })
  expect(replayed.stdout).toContain('no divergence')
  const trial = recordsOf(run)[0]?.trial ?? ''
  for (const more of [
    ['show', 'run'],
    ['show', 'run', trial, '--full'],
    ['state', 'run'],
    ['report', 'run'],
    ['tasks', `native:${join(cwd, 'suite')}`],
  ]) {
    const { stdout, stderr } = await bench(more, { cwd, env })
    expect(leaks({ stdout, stderr }, run), more.join(' ')).toEqual([])
  }
  const gone = await bench(['--resume', 'run'], { cwd, env: { PLAIN_STATE: undefined } })
  expect(gone.stderr).toContain('not set now, but redacted when this run began: ')
})

it('keeps the secrets of a folder that a free request works on out of request, prompts and artifacts', async () => {
  const cwd = tempFolder()
  write(cwd, {
    'request.md': `Rotate ${secrets.instruction}.`,
    'work/.env': `KEY=${secrets.file}\n`,
    'agent.mjs':
      "export default ({ prompt }) => prompt + '\\nFILE: .env\\n```\\nOLD=' + process.env.FILE_API_KEY + '\\n```'",
  })
  const args = [
    '--instruction',
    'request.md',
    '--workspace',
    'work',
    '--methods',
    'baseline',
    '--agents',
    'scripted:agent.mjs',
  ]
  const ended = await bench([...args, '--out', 'run'], { cwd, env })
  expect(ended.code).toBe(0)
  expect(leaks({ stdout: ended.stdout, stderr: ended.stderr }, join(cwd, 'run'))).toEqual([])
  const trial = recordsOf(join(cwd, 'run'))[0]?.trial ?? ''
  expect(readFileSync(join(cwd, 'run/artifacts', trial, 'files/.env'), 'utf8')).toBe(
    'OLD=[redacted FILE_API_KEY]\n',
  )
  expect(await benchOk(['replay', 'run'], { cwd, env })).toContain('no divergence')
  expect((await bench(['--resume', 'run'], { cwd, env })).stderr).not.toContain('has changed')
})

it('refuses secrets in what names things, prints no error that holds one, and says which values it cannot look for', async () => {
  const cwd = tempFolder()
  const setting = { cwd, env: { ...env, SHORT_TOKEN: 'short', NAME_TOKEN: 'lamp-paths' } }
  await refused(['--tasks', secrets.stray, '--methods', 'baseline'], [/\[redacted STRAY_API_KEY\]/], setting)
  await refused(
    ['--tasks', 'lamp-paths', '--methods', 'baseline', '--dev', '--secret', 'NOT_SET'],
    ['NOT_SET'],
    setting,
  )
  const { code, stderr } = await bench(
    ['--tasks', 'answers/*', '--methods', 'baseline', '--out', 'run'],
    setting,
  )
  expect(code).toBe(2)
  expect(stderr).toContain('run.json tasks')
  expect(stderr).toContain('[redacted NAME_TOKEN]')
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  const told = await bench(['--tasks', 'recipe-scale', '--methods', 'baseline', '--out', 'run'], setting)
  expect(told.code).toBe(0)
  expect(told.stderr).toContain('too short or too common to be redacted: SHORT_TOKEN')

  write(cwd, {
    'role.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'role', summary: 's', diagram: 'd', options: z.object({}),
  roles: { [process.env.OPTION_API_KEY]: 'produce' },
  run: async ({ ask }) => ({ stopReason: 'done', answer: await ask(process.env.OPTION_API_KEY, 'go') }) })`,
  })
  const role = ['--tasks', 'recipe-scale', '--methods', './role.mjs', '--out', 'roles']
  await refused(role, ['run.json methods', '[redacted OPTION_API_KEY]'], setting)
  expect(existsSync(join(cwd, 'roles'))).toBe(false)

  write(cwd, { 'throws.mjs': "throw new Error('loaded with ' + process.env.STRAY_API_KEY)" })
  const broken = await bench(
    ['--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'scripted:throws.mjs'],
    {
      ...setting,
      env: { ...env, BENCH_DEBUG: '1' },
    },
  )
  expect(broken.stderr).toContain('loaded with [redacted STRAY_API_KEY]')
})
