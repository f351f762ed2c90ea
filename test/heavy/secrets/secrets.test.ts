import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder, writeFiles } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, root, stepsOf, wholeLines } from '../../helpers/runs/cli.ts'

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

const json = JSON.stringify

/** A suite of one task, a strategy and an agent that put every secret where it does not belong. */
function plant(folder: string): void {
  writeFiles(folder, {
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
function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Returns the places of secrets in printed text and in all files of a folder, file names included. */
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

it('no secret gets into the run folder or onto the screen, and replay and resume work the same', async () => {
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
      // One retry, which shows the note of a retry.
      '--retries',
      '1',
    ],
  ]
  const ended = await bench(args, { cwd, env })
  const run = join(cwd, 'run')
  expect(leaks({ stdout: ended.stdout, stderr: ended.stderr }, run)).toEqual([])
  // All planted secrets were really in the inputs.
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
  expect(gone.stderr).toMatch(/PLAIN_STATE,.* were set when this run started: set them again first/)
})

it('the secrets of a free request’s folder stay out of request, prompts and artifacts', async () => {
  const cwd = tempFolder()
  writeFiles(cwd, {
    'request.md': `Rotate ${secrets.instruction}.`,
    'work/.env': `KEY=${secrets.file}\n`,
    'agent.mjs':
      "export default ({ prompt }) => prompt + '\\nFILE: .env\\n```\\nOLD=' + process.env.FILE_API_KEY + '\\n```'",
  })
  const args = argv`--instruction request.md --workspace work --include .env --methods baseline --mode live
    --agents scripted:agent.mjs`
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

it('secrets in names are refused, no error prints one, and values that cannot be searched for are reported', async () => {
  const cwd = tempFolder()
  const setting = { cwd, env: { ...env, SHORT_TOKEN: 'short', NAME_TOKEN: 'lamp-paths' } }
  await refused(['--tasks', secrets.stray, '--methods', 'baseline'], [/\[redacted STRAY_API_KEY\]/], setting)
  await refused(argv`--tasks lamp-paths --methods baseline --dev --secret NOT_SET`, ['NOT_SET'], setting)
  const { code, stderr } = await bench(argv`--tasks answers/* --methods baseline --out run`, setting)
  expect(code).toBe(2)
  expect(stderr).toContain('run.json tasks')
  expect(stderr).toContain('[redacted NAME_TOKEN]')
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  const printed = await bench(['--tasks', 'recipe-scale', '--methods', 'baseline', '--out', 'run'], setting)
  expect(printed.code).toBe(0)
  expect(printed.stderr).toContain('not redacted, because the value is too short or too common: SHORT_TOKEN')

  writeFiles(cwd, {
    'role.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'role', summary: 's', options: z.object({}),
  roles: { [process.env.OPTION_API_KEY]: 'produce' },
  run: async ({ ask }) => ({ stopReason: 'done', answer: await ask(process.env.OPTION_API_KEY, 'go') }) })`,
  })
  const role = ['--tasks', 'recipe-scale', '--methods', './role.mjs', '--out', 'roles']
  await refused(role, ['run.json methods', '[redacted OPTION_API_KEY]'], setting)
  expect(existsSync(join(cwd, 'roles'))).toBe(false)

  writeFiles(cwd, { 'throws.mjs': "throw new Error('loaded with ' + process.env.STRAY_API_KEY)" })
  const broken = await bench(argv`--tasks lamp-paths --methods baseline --agents scripted:throws.mjs`, {
    ...setting,
    env: { ...env, BENCH_DEBUG: '1' },
  })
  expect(broken.stderr).toContain('loaded with [redacted STRAY_API_KEY]')
})

const task = join(root, 'tasks/code/money-split')
const files = ['steps.jsonl', 'events.jsonl', 'records.jsonl', 'run.json', 'summary.md']

/** Lines long enough to be told from chance, and found nowhere in what a method may see. */
function marks(part: 'tests' | 'solution'): string[] {
  const visible = ['files', 'checks', 'instruction.md'].map((name) => textOf(join(task, name))).join('\n')
  // A line that is in both tests and reference does not show where it came from.
  const other = textOf(join(task, part === 'tests' ? 'solution' : 'tests'))
  const lines = textOf(join(task, part))
    .split('\n')
    .map((line) => line.trim())
  return [...new Set(lines)].filter(
    (line) => line.length >= 25 && !visible.includes(line) && !other.includes(line),
  )
}

function textOf(path: string): string {
  if (!existsSync(path)) return ''
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
  return readdirSync(path)
    .map((name) => textOf(join(path, name)))
    .join('\n')
}

async function run(agent: string): Promise<string> {
  const folder = join(tempFolder(), 'run')
  const methods = 'baseline,sequential[parallel=2],integrated'
  const { code } = await bench(
    argv`--tasks money-split --methods ${methods} --epochs 2 --agents ${agent} --out ${folder}`,
  )
  expect([0, 1]).toContain(code)
  return folder
}

/** All texts in a folder, as they are and as JSON holds them. */
const holds = (text: string, line: string) =>
  text.includes(line) || text.includes(JSON.stringify(line).slice(1, -1))

it('no line of the hidden tests gets into a prompt, a method’s step, a trace or a file', async () => {
  expect(marks('tests').length).toBeGreaterThan(5)
  for (const agent of ['simulated', 'oracle', 'no-op']) {
    const folder = await run(agent)
    // A grade may quote the assertion that failed; nothing that a method sees or does may.
    const steps = stepsOf(folder).filter(({ payer }) => payer !== 'grading')
    const records = recordsOf(folder).map(({ scores: _, ...rest }) => rest)
    const texts = [steps, records].map((lines) => JSON.stringify(lines))
    for (const text of [
      ...texts,
      ...['events.jsonl', 'run.json', 'blobs'].map((name) => textOf(join(folder, name))),
    ])
      for (const line of marks('tests')) expect(holds(text, line), `${agent}: ${line}`).toBe(false)
  }
})

it('the oracle’s replies are journaled by their hash only', async () => {
  expect(marks('solution').length).toBeGreaterThan(5)
  const folder = await run('oracle')
  for (const file of [...files, 'blobs']) {
    const text = textOf(join(folder, file))
    for (const line of marks('solution')) expect(holds(text, line), `${file}: ${line}`).toBe(false)
  }
  const asks = stepsOf(folder).filter((step) => step.kind === 'ask' && step.work === 'produce')
  expect(asks.length).toBeGreaterThan(0)
  for (const step of asks) {
    expect(step).toHaveProperty('replyHash')
    expect(step).not.toHaveProperty('reply')
  }
})

it('a method sees the reference only as an answer of the simulator', async () => {
  const folder = await run('simulated')
  const delivered = new Map<string, string>()
  for (const step of stepsOf(folder)) {
    if (step.kind !== 'ask') continue
    // Before a producing role of this trial has replied, no text may hold the reference; after that it is its work.
    const produced = delivered.get(step.trial) ?? ''
    for (const line of marks('solution'))
      if (holds(step.prompt, line)) expect(holds(produced, line), `${step.role}: ${line}`).toBe(true)
    if (step.work === 'produce') delivered.set(step.trial, `${produced}\n${step.reply ?? ''}`)
    else
      for (const line of marks('solution'))
        if (step.reply && holds(step.reply, line)) expect(holds(produced, line)).toBe(true)
  }
  const kept = wholeLines(join(folder, 'steps.jsonl')).join('\n')
  expect(
    marks('solution').some((line) => holds(kept, line)),
    'some candidate must be close to the reference',
  ).toBe(true)
})
