import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, refused, root } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const token = 'ghp_0123456789abcdefghij'
const run = ['run', '--tasks', 'lamp-paths', '--quiet', '--mode', 'live', '--parallel', '1']
const reply = { text: 'Answer: 84', always: true } as const

let cwd = ''
let cache = ''
beforeEach(() => {
  cwd = tempFolder()
  cache = tempFolder()
})
const env = () => ({ GITHUB_TOKEN: token, ORCHESTRATION_BENCH_CACHE: cache, OPENAI_API_KEY: undefined })
const asked = () => ({ cwd, env: env(), trustsFiles: false })
const write = (file: string, text: string) => writeFileSync(join(cwd, file), text)

/** A graph of one step, with these providers and tools. */
const graph = (providers: string, tools = '', input = 'task') => `version: "0.5"
providers: { ${providers} }
tools: { ${tools} }
agents: { maker: {} }
tasks: { make: { agent_ref: maker, prompt: Do it. } }
workflows: { main: { steps: [ { id: make, task: make } ] } }
run: { workflow_ref: main, input: ${input} }
`
const module = "import fs from 'node:fs'\nfs.writeFileSync('PWNED', 'x')\nexport default () => 'Answer: 84'\n"

it('a graph that sends a variable to an address sends nothing until the user allows it, for this call or at the terminal', async () => {
  const server = await startModelServer([reply])
  const far = `far: { kind: http_remote, config: { base_url: "${server.url}/v1", model: m, key_variable: GITHUB_TOKEN } }`
  write('key.yaml', graph(far))
  const command = [...run, '--methods', 'dag:key.yaml']
  await refused(
    argv`${command} --out a`,
    [`sends prompts to this address: ${server.url}/v1 (key.yaml:2:`, 'GITHUB_TOKEN', '--trust-code'],
    asked(),
  )
  const dry = await bench([...command, '--out', 'a', '--dry-run'], asked())
  expect(dry).toMatchObject({ code: 0 })
  expect(dry.stderr).toMatch(/GITHUB_TOKEN \(key\.yaml:2/)
  expect([server.asked(), existsSync(join(cwd, 'a'))]).toEqual([0, false])

  expect(await bench([...command, '--out', 'b', '--trust-code'], asked())).toMatchObject({ code: 0 })
  expect(server.asked()).toBeGreaterThan(0)
  // A flag counts for its call alone.
  await refused([...command, '--out', 'c'], ['GITHUB_TOKEN'], asked())

  const no = await inTerminal([...command, '--out', 'c'], [[/Allow that.*\[y\/N\]/s, 'n\r']], asked())
  expect([no.exitCode, existsSync(join(cwd, 'c'))]).toEqual([2, false])
  const yes = await inTerminal([...command, '--out', 'c'], [[/Allow that.*\[y\/N\]/s, 'y\r']], asked())
  expect([yes.exitCode, yes.shown.match(/Allow that/g)?.length]).toEqual([0, 1])
  expect(yes.shown).toMatch(/sends this environment variable as a key: GITHUB_TOKEN \(key\.yaml:2/)
  // It is remembered, in the user's folder and nowhere in the project.
  expect(await bench([...command, '--out', 'd'], asked())).toMatchObject({ code: 0 })
  // The other file is the key of the user's runs.
  expect(readdirSync(join(cache, 'trusted')).sort()).toEqual([
    expect.stringMatching(/^[\da-f]{64}$/),
    'origin-key',
  ])
  expect(readdirSync(cwd).sort()).toEqual(['b', 'c', 'd', 'key.yaml'])
  expect(await bench(['run', '--resume', 'd'], asked())).toMatchObject({ code: 0 })

  write('key.yaml', `${graph(far)}# another text\n`)
  await refused([...command, '--out', 'e'], ['GITHUB_TOKEN'], asked())
  await server.close()
})

it('a module that a graph names runs only if it is allowed, and is asked for again when it or what it imports changes', async () => {
  write('code.mjs', `import './more.mjs'\n${module}`)
  write('more.mjs', 'export const a = 1\n')
  write('code.yaml', graph('far: { kind: bench_agent, config: { agent: "scripted:./code.mjs" } }'))
  const command = [...run, '--methods', 'dag:code.yaml']
  await refused([...command], ['loads this code into bench: ./code.mjs', '--trust-code'], asked())
  await refused([...command, '--dry-run'], ['./code.mjs', '--trust-code'], asked())
  expect(existsSync(join(cwd, 'PWNED'))).toBe(false)
  await inTerminal([...command, '--out', 'a'], [[/\[y\/N\]/, 'y\r']], asked())
  expect(existsSync(join(cwd, 'PWNED'))).toBe(true)
  expect(await bench([...command, '--out', 'b'], asked())).toMatchObject({ code: 0 })
  write('more.mjs', 'export const a = 2\n')
  await refused([...command], ['./code.mjs'], asked())
  // What a person types is trusted.
  expect(
    await bench([...run, '--methods', 'baseline', '--agents', 'scripted:./code.mjs'], asked()),
  ).toMatchObject({ code: 0 })
})

it('in dev mode a document is asked for only if it starts a program, and a document without powers never', async () => {
  const dev = ['run', '--tasks', 'lamp-paths', '--quiet', '--methods', 'dag:d.yaml']
  write('d.yaml', graph('far: { kind: bench_agent, config: { agent: "scripted:./code.mjs" } }'))
  write('code.mjs', module)
  expect(await bench(dev, asked())).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'PWNED'))).toBe(false)
  write('server.mjs', module)
  write(
    'd.yaml',
    graph(
      '',
      't: { kind: mcp, config: { command: [node, server.mjs], files: [server.mjs], allow: [x] } }',
    ).replace('maker: {}', 'maker: { tools: [t] }'),
  )
  await refused(
    dev,
    ['starts this program: node server.mjs (d.yaml:3', 'reads this file: server.mjs'],
    asked(),
  )
  write('d.yaml', graph('far: { kind: bench_agent, config: { agent: simulated } }'))
  expect(await bench([...run, '--methods', 'dag:d.yaml'], asked())).toMatchObject({ code: 0 })
})

it('the config file of the working folder came with it: whom it tells, its strategies and its agents are asked for', async () => {
  const dev = ['run', '--tasks', 'lamp-paths', '--quiet']
  write('told.sh', '#!/bin/sh\ntouch PWNED\n')
  write('bench.config.yaml', 'notify: [sh, ./told.sh]\n')
  await refused(
    argv`${dev} --methods baseline`,
    ['starts this program: sh ./told.sh (bench.config.yaml:1'],
    asked(),
  )
  write('bench.config.yaml', 'methods: { own: { strategy: ./own.mjs } }\n')
  write('own.mjs', module)
  await refused([...dev, '--methods', 'own'], ['loads this code into bench: ./own.mjs'], asked())
  write('bench.config.yaml', 'run: { methods: ["./own.mjs"] }\n')
  await refused(dev, ['loads this code into bench: ./own.mjs'], asked())
  write(
    'bench.config.yaml',
    'agents: { helper: "scripted:./own.mjs" }\nrun: { agents: helper, allowUnsandboxed: true }\n',
  )
  const words = ['loads this code into bench: ./own.mjs', 'weakens this safeguard: allowUnsandboxed: true']
  await refused([...run, '--methods', 'baseline'], words, asked())
  // In dev mode its agents are not asked.
  expect(await bench([...dev, '--methods', 'baseline'], asked())).toMatchObject({ code: 0 })
  expect((await bench(['doctor'], asked())).stdout).toMatch(/agents of bench\.config\.yaml/)
  expect(existsSync(join(cwd, 'PWNED'))).toBe(false)
})

it('shipped documents run in live mode without a question, also as copies; a changed copy that takes a power is asked for', async () => {
  const live = [...run, '--agents', 'simulated']
  expect(await bench([...live, '--methods', 'dag:remote', '--out', 'a'], asked())).toMatchObject({ code: 0 })
  copyFileSync(join(root, 'strategies/dag/remote.yaml'), join(cwd, 'copy.yaml'))
  expect(await bench([...live, '--methods', 'dag:copy.yaml', '--out', 'b'], asked())).toMatchObject({
    code: 0,
  })
  write('copy.yaml', readFileSync(join(cwd, 'copy.yaml'), 'utf8').replace('127.0.0.1:8080', '127.0.0.1:8081'))
  await refused([...live, '--methods', 'dag:copy.yaml'], ['http://127.0.0.1:8081/v1'], asked())
})

it('a project that ships an answer in a folder of its own is asked for all the same', async () => {
  write(
    'key.yaml',
    graph('far: { kind: local_ollama, config: { base_url: "http://127.0.0.1:1", model: m } }'),
  )
  const command = [...run, '--methods', 'dag:key.yaml', '--agents', 'simulated']
  await inTerminal([...command, '--out', 'a'], [[/\[y\/N\]/, 'y\r']], asked())
  const [key = ''] = readdirSync(join(cache, 'trusted'))
  for (const place of ['.cache', '.orchestration-bench', '.cache/orchestration-bench']) {
    mkdirSync(join(cwd, place, 'trusted'), { recursive: true, mode: 0o700 })
    writeFileSync(join(cwd, place, 'trusted', key), '', { mode: 0o600 })
    const own = { ...env(), ORCHESTRATION_BENCH_CACHE: place }
    await refused(command, ['http://127.0.0.1:1'], { ...asked(), env: own })
  }
})

it('check and plan list what documents take, a line each, and refuse outside files, links and keys', async () => {
  write(
    'g.yaml',
    graph('far: { kind: http_remote, config: { base_url: "http://h/v1", model: m, key_variable: TOKEN } }'),
  )
  write('bench.config.yaml', 'notify: [sh, ./told.sh]\n')
  for (const command of ['check', 'plan'])
    expect((await bench([command, 'g.yaml'], asked())).stdout).toMatch(
      /sends prompts to this address: http:\/\/h\/v1 \(.*\n {2}sends this environment variable as a key: TOKEN/,
    )
  expect((await bench(['check', 'bench.config.yaml'], asked())).stdout).toMatch(
    /starts this program: sh \.\/told\.sh/,
  )
  write('.env', 'KEY=1\n')
  for (const file of ['../outside.txt', '/etc/passwd', '.env', '.git/config']) {
    write('g.yaml', graph('', '', `{ file: ${file} }`))
    await refused(['plan', 'g.yaml'], ['run.input.file'], asked())
    await refused(['check', 'g.yaml'], ['run.input.file'], asked())
    write(
      'g.yaml',
      graph('', `m: { kind: memory, config: { file: ${file} } }`).replace(
        'maker: {}',
        'maker: { tools: [m] }',
      ),
    )
    await refused([...run.slice(0, 4), '--no-config', '--methods', 'dag:g.yaml'], [file], asked())
  }
  write('prompt.yaml', 'methods: { mine: { strategy: baseline, options: { prompt: .env } } }\n')
  await refused(argv`${run.slice(0, 4)} --config prompt.yaml --methods mine`, ['.env', /like a key/], asked())
})

it('a config file asks before its tasks are sent to a model, and names none outside of the folder, by a link or of keys', async () => {
  const server = await startModelServer([reply])
  const far = `far: { kind: http_remote, config: { base_url: "${server.url}/v1", model: m } }`
  write('key.yaml', graph(far))
  const live = ['run', '--quiet', '--mode', 'live', '--no-config', '--methods', 'dag:key.yaml', '--out', 'a']
  const command = live.map((word) => (word === '--no-config' ? '--config=bench.config.yaml' : word))
  write('q.csv', 'question,answer\nWhat is 6 times 7?,42\n')
  write('.env', 'question,answer\n')
  write('bench.config.yaml', 'run: { tasks: "csv:q.csv" }\n')
  await refused(command, ['reads this file: q.csv (bench.config.yaml:1'], asked())
  for (const file of ['/outside.csv', '../q.csv', '.env', '.git/config']) {
    write('bench.config.yaml', `run: { tasks: "csv:${file}" }\n`)
    await refused([...command, '--trust-code'], [file, 'run.tasks'], asked())
    await refused(['check', 'bench.config.yaml'], [file, 'run.tasks'], asked())
  }
  expect(server.asked()).toBe(0)
  // What you type is yours.
  const typed = [...live, '--tasks', `csv:${join(cwd, 'q.csv')}`, '--trust-code']
  expect((await bench(typed, asked())).stderr).not.toMatch(/no path inside/)
  expect(server.asked()).toBeGreaterThan(0)
})

it('an agent of the config file is yours if you type its name; what else the file takes is asked for', async () => {
  write('own.mjs', module)
  const typed = [...run, '--methods', 'baseline', '--agents', 'helper']
  const agents = 'agents: { helper: "scripted:./own.mjs", other: "scripted:./other.mjs" }'
  write('bench.config.yaml', `${agents}\nroles: { maker: other }\nrun: { allowUnsandboxed: true }\n`)
  await refused(typed, ['weakens this safeguard: allowUnsandboxed: true'], asked())
  expect(existsSync(join(cwd, 'PWNED'))).toBe(false)
  write('bench.config.yaml', `${agents}\n`)
  expect(await bench([...typed, '--allow-unpriced'], asked())).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'PWNED'))).toBe(true)
})
