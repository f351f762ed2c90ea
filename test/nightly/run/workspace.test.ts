import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, manifestOf, refused, root } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const secret = 'hunter2-is-no-token-of-anybody'
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

/** A typical project: source files beside keys and files that nobody wants to send. */
function project(more: Readonly<Record<string, string>> = {}): string {
  const cwd = tempFolder()
  const tree = {
    ...{
      'wish.md': 'Make it better.',
      'app/src/a.js': 'export const a = 1\n',
      'app/.gitignore': 'build/\n*.log\n',
    },
    ...{
      'app/.env': `PASSWORD=${secret}\n`,
      'app/build/out.js': `// ${secret}\n`,
      'app/all.log': `${secret}\n`,
    },
    ...{
      'app/config.json': `{ "token": "${token}" }\n`,
      'app/id_rsa': `${secret}\n`,
      'app/bad/.npmrc': `${secret}\n`,
    },
  }
  for (const [path, text] of Object.entries({ ...tree, ...more })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return cwd
}
const request = ['run', '--instruction', 'wish.md', '--workspace', 'app', '--methods', 'baseline', '--quiet']
const listing = [
  'note: the agents get 2 files of app, 32 bytes: .gitignore, src/a.js',
  'note: left out because it is named like a key: .env, bad/.npmrc, id_rsa',
  'note: left out because it is ignored by git: all.log, build/',
  'note: left out because it holds what looks like a GitHub token: config.json',
  'note: to take a path that is left out, add --include PATH',
]
const everything = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

it('a workspace is sent without secrets and ignored files, with a list of both', async () => {
  const server = await startModelServer([{ text: 'Done.', always: true }])
  onTestFinished(() => server.close())
  const cwd = project()
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`, OPENAI_COMPATIBLE_API_KEY: undefined }
  const live = argv`${request} --mode live --agents openai-compatible:m --allow-unsandboxed --out run`
  const { code, stderr } = await bench(live, { cwd, env })
  expect(code).toBe(0)
  expect(stderr.split('\n')).toEqual(expect.arrayContaining(listing))
  const sent = JSON.stringify(server.log)
  expect(sent).toContain('export const a = 1')
  for (const all of [sent, everything(join(cwd, 'run'))])
    for (const text of [secret, token]) expect(all).not.toContain(text)
  const { files } = JSON.parse(readFileSync(join(cwd, 'run/request.json'), 'utf8')) as { files: object }
  expect(Object.keys(files)).toEqual(['.gitignore', 'src/a.js'])
  expect(manifestOf(join(cwd, 'run')).request?.leftOut).toMatchSnapshot()
  expect(await benchOk(['replay', 'run'], { cwd })).toContain('no divergence')
})

it('an estimate lists the same files of a workspace', async () => {
  const cwd = project()
  const { code, stderr } = await bench([...request, '--dry-run'], { cwd })
  expect(code).toBe(0)
  expect(stderr.split('\n').filter(Boolean)).toEqual(listing)
  expect(existsSync(join(cwd, 'results'))).toBe(false)
})

it('a file that the user names is sent although it would be left out, with a note', async () => {
  const cwd = project()
  const { stderr, code } = await bench(argv`${request} --include .env --include app/build --out run`, { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain('the agents get 4 files')
  expect(stderr).not.toMatch(/left out.*\.env/)
  expect(manifestOf(join(cwd, 'run')).request?.included).toEqual(['.env', 'build'])
  writeFileSync(join(cwd, 'wish.md'), `Use ${token}.`)
  expect((await bench(request, { cwd })).stderr).toContain(
    'note: the instruction holds what looks like a GitHub token',
  )
  await refused([...request, '--include', 'nothing.txt'], ['does not exist in the workspace'], { cwd })
  await refused(argv`--tasks 1 --methods baseline --include a`, ['requires --instruction'], {
    cwd,
  })
  await refused(argv`run --instruction wish.md --methods baseline --include a`, ['requires --workspace'], {
    cwd,
  })
  await refused(['run', '--resume', 'run', '--include', 'a'], ['conflicts with --resume'], { cwd })
})

it('a workspace above 200 files or 2 MB needs --yes, also for an estimate', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`app/data/${i}.txt`, 'x']))
  const cwd = project(many)
  const words = [
    /203 files, .*more than 200 files or 2\.0 MB/,
    /data\/ \(201 files, 201 bytes\)/,
    /--yes.*\.gitignore/,
  ]
  await refused([...request, '--out', 'run'], words, { cwd })
  await refused([...request, '--dry-run'], words, { cwd })
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  const { code, stderr } = await bench([...request, '--yes', '--out', 'run'], { cwd })
  expect(code).toBe(0)
  expect(stderr).toMatch(/the agents get 203 files of app, .* and 183 more/)
  writeFileSync(join(cwd, 'app/.gitignore'), 'data/\nbuild/\n*.log\n')
  await benchOk(request, { cwd })
})

it('a program’s request treats a workspace in the same way', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`app/data/${i}.txt`, 'x']))
  const cwd = project(many)
  const api = pathToFileURL(join(root, 'dist/bench/api.js')).href
  writeFileSync(
    join(cwd, 'call.mjs'),
    `import { run } from ${JSON.stringify(api)}
const asked = { instruction: 'wish.md', workspace: 'app', methods: 'baseline' }
const notes = []
const onEvent = (event) => event.type === 'warning' && notes.push(event.message)
const refusal = await run(asked).catch((error) => error.message)
const { folder } = await run({ ...asked, yes: true, include: ['id_rsa'], out: 'run', onEvent })
console.log(JSON.stringify({ refusal, notes, folder }))`,
  )
  const { stdout } = await execa(process.execPath, ['call.mjs'], { cwd })
  const { refusal, notes } = JSON.parse(stdout) as { refusal: string; notes: string[] }
  expect(refusal).toContain('requires yes')
  expect(notes.join('\n')).toContain('the agents get 204 files of app')
  expect(notes).toContain('left out because it is named like a key: .env, bad/.npmrc')
})
