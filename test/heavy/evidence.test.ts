import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evidence, type Kind, kinds } from '../../src/analysis/evidence.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { bench, recordsOf, root } from '../helpers/runs/cli.ts'

const worker = `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`
const arms: Readonly<Record<'simulated' | 'live', readonly string[]>> = {
  simulated: ['--profile', 'default'],
  live: ['--mode', 'live', '--agents', worker],
}
const plan = [
  ...[
    '--tasks',
    'register-trace,word-rewriting',
    '--methods',
    'baseline,sequential,consensus',
    '--epochs',
    '2',
  ],
  ...['--max-cost', '5', '--limit', 'calls=40,costUsd=2', '--no-config', '--out', 'r'],
]
const reads = (trial: string): readonly string[][] => [
  ...['text', 'markdown', 'latex', 'csv', 'json'].map((format) => [
    ...['report', 'r', '--coordination', '--format', format],
  ]),
  ['report', 'r', '--format', 'html', '--out', 'page.html'],
  ['report', 'r', '--format', 'svg', '--out', 'figures'],
  ['report', 'r', '--notes'],
  ['compare', 'r:baseline', 'r:sequential'],
  ['show', 'r'],
  ['show', 'r', trial],
  ['run', ...plan.slice(0, -1), 'other', '--dry-run'],
]

/** Everything that a run of this kind and the commands that read it say. The run itself is what is estimated from. */
async function said(kind: 'simulated' | 'live'): Promise<string[]> {
  const cwd = tempFolder()
  const run = await bench(['run', ...plan, ...arms[kind]], { cwd })
  expect(run.code, run.stderr).toBe(0)
  const marked = run.stderr.match(/of \$5\.00( \(simulated\))?/g) ?? []
  expect(new Set(marked)).toEqual(new Set([`of $5.00${evidence[kind].mark}`]))
  const [record] = recordsOf(join(cwd, 'r'))
  expect(record?.simulated).toBe(kind === 'simulated')
  const texts = [run.stdout, run.stderr, readFileSync(join(cwd, 'r/summary.md'), 'utf8')]
  for (const args of reads(record?.trial ?? '')) {
    const more = args.includes('--dry-run') ? [...arms[kind], '--estimate-from', 'r'] : []
    const ended = await bench([...args, ...more], { cwd })
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(0)
    texts.push(ended.stdout, ended.stderr)
  }
  texts.push(visibleText(readFileSync(join(cwd, 'page.html'), 'utf8')))
  const figures = readdirSync(join(cwd, 'figures'))
  texts.push(...figures.map((name) => readFileSync(join(cwd, 'figures', name), 'utf8')))
  return texts.map(withoutNames)
}

/** What a page shows without its code, and the texts that it shows when a trial is opened. */
const visibleText = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<script type="module">[\s\S]*?<\/script>/g, '')
    .replaceAll(/aria-live="\w+"/g, '')

/** Names of fields in JSON and CSV are the same for all kinds; what they hold is not. */
const withoutNames = (text: string) => text.replaceAll(/"\w+":/g, '').replaceAll(/^method,.*$/gm, '')

const saysA = (word: string) => new RegExp(`\\b${word}\\b`, 'i')

it.each(['simulated', 'live'] as const)(
  'no output of a %s run says a word of another kind',
  async (kind) => {
    const texts = await said(kind)
    for (const word of kinds
      .filter((other) => other !== kind)
      .flatMap((other: Kind) => evidence[other].words))
      for (const text of texts) expect(text).not.toMatch(saysA(word))
    // The words are those that are said.
    expect(texts.some((text) => saysA(evidence[kind].name).test(text))).toBe(true)
  },
  300_000,
)
