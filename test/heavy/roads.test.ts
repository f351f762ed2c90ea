import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, commandsOf, filesOf } from '../helpers/guides/blocks.ts'
import { type Installed, installPackage } from '../helpers/guides/installed.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { program, recordsOf, root } from '../helpers/runs/cli.ts'
import { startModelServer } from '../model-server/server.ts'

let installed: Installed
beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed.remove())

const [paper, product, ci, author] = ['start-paper', 'start-product', 'start-ci', 'add-a-strategy'].map(
  (name) => `docs/guides/${name}.md`,
) as [string, string, string, string]

/** The commands of a page's roads: three at most from where the reader stands to what he came for. */
function roadsOf(page: string): string[][] {
  const roads = blocksOf(page)
    .filter(({ meta }) => meta === 'road')
    .map(commandsOf)
  for (const road of roads) expect(road.length, road.join('\n')).toBeLessThanOrEqual(3)
  return roads
}

const roads = {
  paper: () => roadsOf(paper)[0] ?? [],
  spreadsheet: () => roadsOf(product)[0] ?? [],
  repository: () => roadsOf(product)[1] ?? [],
  ci: () => roadsOf(ci)[0] ?? [],
  author: () => roadsOf(author)[0] ?? [],
}

/** A folder of a reader who has installed the package. */
function reader(files: Readonly<Record<string, string>>): string {
  // The price of a vendor's model is not that of a server on loopback.
  const prices = 'prices: { openai:gpt-5-mini: { input: 0.25, output: 2 } }\n'
  const cwd = folderOf({
    'package.json': '{ "private": true, "type": "module" }',
    'bench.config.yaml': prices,
    ...files,
  })
  symlinkSync(join(installed.project, 'node_modules'), join(cwd, 'node_modules'))
  return cwd
}

type Env = Readonly<Record<string, string>>

/** What a shell with Node, npm, git and coreutils alone says to commands that are typed one after another. */
async function typed(commands: readonly string[], cwd: string, env: Env = {}) {
  // Guides write `bench` for `npx bench`, and MODEL for the name of a model.
  const script = ['set -e', ...commands].join('\n').replaceAll(/\bMODEL\b/g, 'gpt-5-mini')
  const PATH = `${installed.bin}:${join(installed.project, 'node_modules/.bin')}`
  const { exitCode, stdout, stderr } = await execa('sh', ['-c', script], {
    cwd,
    env: { PATH, HOME: cwd, ORCHESTRATION_BENCH_CACHE: inject('cache'), COLUMNS: '100', ...env },
    extendEnv: false,
    reject: false,
  })
  return { code: exitCode, stdout, stderr }
}

/** The same, for commands that must succeed; gives what was on stdout. */
async function typedWell(commands: readonly string[], cwd: string, env?: Env): Promise<string> {
  const { code, stdout, stderr } = await typed(commands, cwd, env)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** A model that answers with these texts: the first whose condition is in the prompt. */
async function model(answers: readonly { when?: string; text: string }[]): Promise<Env> {
  const server = await startModelServer(answers.map((answer) => ({ ...answer, always: true })))
  onTestFinished(() => server.close())
  return { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'key-for-loopback' }
}

it('every road has three commands at most', () => {
  for (const road of Object.values(roads)) expect(road()).toHaveLength(3)
  expect([paper, product, ci, author].map((page) => roadsOf(page).length)).toEqual([1, 2, 1, 1])
})

it('paper: a table of public tasks and two methods', async () => {
  const clone = tempFolder()
  const data = 'fixtures/recorded/cheap-models'
  cpSync(join(root, data), join(clone, data), { recursive: true })
  writeFileSync(join(clone, 'package.json'), '{ "private": true }')
  mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true })
  symlinkSync(program, join(clone, 'node_modules/.bin/bench'))
  const stdout = await typedWell(roads.paper(), clone)
  expect(stdout).toContain('2 methods on 198 tasks, 1 epoch each; recorded; 396 trials, none missing')
  const table = readFileSync(join(clone, 'results/first.tex'), 'utf8')
  expect(table).toMatch(/\\toprule[\s\S]*deepseek-v3 +& +83\.3 & \[77\.5, 87\.9\][\s\S]*\\bottomrule/)
  expect(table).toMatch(/vote-large +& +85\.9 &/)
  expect(table).toContain('Recorded replies of deepseek-v3')
})

describe('product', () => {
  it('a spreadsheet: proved, rehearsed, and answered by a model', async () => {
    const cwd = reader(filesOf(product))
    expect(existsSync(join(cwd, 'questions.csv'))).toBe(true)
    const env = await model([
      { when: 'discount', text: 'Answer: 63' },
      { when: 'refunded', text: 'Answer: 21' },
      { text: 'Answer: February' },
    ])
    const stdout = await typedWell(roads.spreadsheet(), cwd, env)
    expect(stdout).toContain('3 of 3 tasks proved')
    expect(stdout).toContain('simulated: these numbers describe profile')
    const answer = stdout.slice(stdout.lastIndexOf('2 methods on 3 tasks'))
    expect(answer).toMatch(/^2 methods on 3 tasks, 3 epochs each; live; 18 trials, none missing$/m)
    expect(answer).toMatch(/^baseline +66\.7 /m)
    expect(answer).toMatch(/^Who +\S/m)
    expect(answer).toMatch(/^Price +\S.*\$/m)
    expect(answer).toMatch(/^Sure +\S/m)
  })

  it('a repository: its commit becomes a task, which methods do', async () => {
    const shown = blocksOf('docs/guides/own-repository.md').filter(({ text }) =>
      / -C project .*commit/.test(text),
    )
    expect(shown).toHaveLength(2)
    const place = reader({})
    await typedWell(shown.flatMap(commandsOf), place)
    const cwd = join(place, 'project')
    const stdout = await typedWell(roads.repository(), cwd)
    expect(stdout).toContain('1 of 1 task proved')
    expect(stdout).toContain('2 methods on 1 task, 1 epoch each; simulated; 2 trials, none missing')
    expect(stdout).toMatch(/2 trials of 2 recorded/)
    expect(recordsOf(join(cwd, 'results/code')).map(({ passed }) => passed)).not.toContain(null)
  })
})

describe('CI', () => {
  const rows = Array.from({ length: 12 }, (_, i) => `"What is ${i} and ${i}?",${2 * i}`)
  const prompts = () => blocksOf(product).find(({ text }) => text.includes('> prompts/now.md'))?.text ?? ''
  const right = Array.from(rows, (_, i) => ({ when: `What is ${i} and ${i}?`, text: `Answer: ${2 * i}` }))
  const bad = { when: 'Work step by step', text: 'Answer: 5' }

  it('a gate lets a change pass that makes nothing worse, and stops one that does', async () => {
    const cwd = reader({ 'questions.csv': ['question,answer', ...rows, ''].join('\n') })
    await typedWell([prompts()], cwd)
    const [check = '', structure = '', gate = ''] = roads.ci()
    await typedWell([check], cwd)
    expect((await typed([structure], cwd)).code).toBe(0)
    expect(readFileSync(join(cwd, 'results/junit.xml'), 'utf8')).toContain('<testsuites')
    const good = await typed([gate], cwd, await model(right))
    expect(good).toMatchObject({ code: 0 })
    const worse = await typed(
      [gate.replace('results/night', 'results/tomorrow')],
      cwd,
      await model([bad, ...right]),
    )
    expect(worse).toMatchObject({ code: 1 })
    expect(worse.stderr).toContain('--fail-if holds: better(now, next)')
    const prompt = join(cwd, 'prompts/next.md')
    writeFileSync(prompt, readFileSync(prompt, 'utf8').replace('{{instruction}}', ''))
    const broken = await typed([structure.replace('results/ci', 'results/again')], cwd)
    expect(broken).toMatchObject({ code: 2 })
    expect(broken.stderr).toMatch(/^bench: .*next\.md.*\{\{instruction\}\}/m)
  })

  it('the workflow runs what the reader has tried', () => {
    const yaml = blocksOf(ci).find(({ language }) => language === 'yaml')?.text ?? ''
    const { jobs } = parse(yaml) as { jobs: { bench: { steps: { run?: string }[] } } }
    const runs = jobs.bench.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))
    expect(runs).toEqual(['npm ci', ...roads.ci().slice(0, 2)])
  })
})

it('own method: described, run beside another, and compared', async () => {
  const cwd = reader(filesOf(author))
  const stdout = await typedWell(roads.author(), cwd)
  expect(stdout).toContain('draft-and-review: A writer drafts; a reviewer reads')
  expect(stdout).toContain('2 methods on 8 tasks, 1 epoch each; simulated; 16 trials, none missing')
  expect(stdout).toMatch(/^draft-and-review +(?:-|\d)/m)
})
