import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLValidator } from 'fast-xml-parser'
import { afterAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, refused } from '../../helpers/runs/cli.ts'

const names = [
  'compliance',
  'context-growth',
  'ranks',
  'success',
  'success-budget',
  'success-cost',
  'success-tokens',
  'task-differences',
  'tokens-by-role',
]
const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const run = join(folder, 'run')
let begun: Promise<string> | undefined
/** One run that all tests read. */
const made = async () => {
  begun ??= benchOk(['--tasks', 'answers', '--methods', 'baseline,sequential', '--quiet', '--out', run])
  await begun
  return run
}

it('bench report writes a file for each figure, the same at every call', async () => {
  const [one, other] = [tempFolder(), tempFolder()]
  const report = ['report', await made(), '--format', 'svg', '--out']
  const printed = await benchOk([...report, join(one, 'deep/er')])
  expect(
    printed
      .split('\n')
      .map((path) => path.slice(path.lastIndexOf('/') + 1))
      .sort(),
  ).toEqual(names.map((name) => `${name}.svg`).sort())
  await benchOk([...report, other])
  for (const file of readdirSync(other)) {
    const text = readFileSync(join(other, file), 'utf8')
    expect(XMLValidator.validate(text), file).toBe(true)
    expect(text, file).toBe(readFileSync(join(one, 'deep/er', file), 'utf8'))
    expect(text, file).toContain('Simulated: these numbers describe profile default@1, not the methods.')
  }
})

it('bench report writes one figure to stdout, and any table into a file', async () => {
  const svg = await benchOk(['report', await made(), '--format', 'svg', '--figure', 'tokens-by-role'])
  expect(svg).toMatch(/^<svg [\s\S]*code-generator[\s\S]*<\/svg>$/)
  const file = join(tempFolder(), 'new/table.md')
  expect(await benchOk(['report', run, '--format', 'markdown', '--out', file])).toBe('')
  expect(`${await benchOk(['report', run, '--format', 'markdown'])}\n`).toBe(readFileSync(file, 'utf8'))
})

it('bench report makes one HTML page of a run, the same at every call', async () => {
  const page = await benchOk(['report', await made(), '--format', 'html'])
  expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>$/)
  expect(page.match(/<figure /g)).toHaveLength(names.length)
  const file = join(tempFolder(), 'page.html')
  await benchOk(['report', run, '--format', 'html', '--out', file])
  expect(readFileSync(file, 'utf8').trimEnd()).toBe(page)
})

const toPdf = async () => ['report', await made(), '--format', 'pdf', '--out']

it('bench report says how to get rsvg-convert if PDF needs it', async () => {
  const empty = tempFolder()
  await refused(
    [...(await toPdf()), tempFolder()],
    [/rsvg-convert, which is not installed.*apt install librsvg2-bin.*--format svg/s],
    { env: { PATH: empty } },
  )
})

needs('rsvg-convert').it('bench report makes PDF, equal for equal runs', async () => {
  const [one, other] = [tempFolder(), tempFolder()]
  const report = await toPdf()
  await benchOk([...report, one])
  await benchOk([...report, other, '--figure', 'success'])
  const pdf = readFileSync(join(one, 'success.pdf'))
  expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  expect(readFileSync(join(other, 'success.pdf')).equals(pdf)).toBe(true)
  expect(readdirSync(one)).toHaveLength(names.length)
})

it('bench report refuses options that do not fit together, all at the same time', async () => {
  await made()
  await refused(argv`report ${run} ${run} --format svg --tasks --pairs`, [
    /--tasks.*not to figures/,
    /--pairs.*not to figures/,
    /--out DIR/,
    /supports only one run/,
  ])
  await refused(['report', run, '--format', 'csv', '--figure', 'ranks'], [/csv has no figures/])
  await refused(['report', run, '--format', 'svg', '--figure', 'rank'], [/rank.*did you mean.*ranks|ranks/i])
  await refused(argv`report ${run} --format pdf --figure ranks`, [
    /cannot be printed to a terminal.*--out DIR/,
  ])
  await refused(argv`report ${run} --format html --figure ranks --tasks`, [
    /--figure ranks.*the page contains all/,
    /--tasks.*the page contains everything/,
  ])
  const file = join(tempFolder(), 'file')
  await benchOk(['report', run, '--format', 'json', '--out', file])
  await refused(['report', run, '--format', 'svg', '--out', file], [/--out.*cannot be written/])
})
