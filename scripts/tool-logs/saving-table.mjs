// Prints the table of docs/reference/tool-savings.md: what compact reports save over the logs of fixtures/tool-logs. With
// --write it puts the table into the guide. It reads what the build made: npm run --silent prepare.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTscResults, readViteResults } from '../../dist/strategies/tools/build-results.js'
import { measureSaving } from '../../dist/strategies/tools/output-text.js'
import { readTestResults } from '../../dist/strategies/tools/test-results.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const logs = join(root, 'fixtures/tool-logs')
const guide = join(root, 'docs/reference/tool-savings.md')
const workspace = '/workspace'

const rows = readdirSync(logs).map(readLog)
const text = `${table(rows)}\n\n${conclusion(rows)}\n`
if (process.argv[2] === '--write') {
  const old = readFileSync(guide, 'utf8')
  writeFileSync(
    guide,
    old.replace(/(<!-- saving -->\n)[\s\S]*(?=<!-- end of saving -->)/, (_, start) => start + text),
  )
} else process.stdout.write(text)

function readLog(name) {
  const read = (file) => readFileSync(join(logs, name, file), 'utf8')
  const { tool, exitCode } = JSON.parse(read('log.json'))
  const output = read('output.txt')
  const junit = existsSync(join(logs, name, 'junit.xml')) ? read('junit.xml') : undefined
  const builds = { tsc: readTscResults, vite: readViteResults }
  const report =
    builds[tool]?.({ output, exitCode }, workspace) ??
    readTestResults({ tool, output, exitCode, junit, workspace })
  return { name, tool, report, ...measureSaving(output, report) }
}

function table(all) {
  const lines = all.map(({ name, report, rawTokens, compactTokens, share }) => {
    const { total, failed = report.summary.errors } = report.summary
    const saved = share === null ? '-' : percent(share)
    return `| ${name} | ${total ?? '-'} | ${failed} | ${report.raw ? 'yes' : ''} | ${rawTokens} | ${compactTokens} | ${saved} |`
  })
  return [
    '| log | tests | failed, errors | raw passed on | tokens of the output | of the report | saved |',
    '| --- | ---: | ---: | --- | ---: | ---: | ---: |',
    ...lines,
  ].join('\n')
}

function conclusion(all) {
  const few = all.filter(
    ({ report: { summary } }) => summary.total >= 50 && summary.failed >= 1 && summary.failed <= 3,
  )
  const shareOf = (some) => percent(median(some.map(({ share }) => share).filter((share) => share !== null)))
  const ofTool = (tool) => all.filter((one) => one.tool === tool)
  const tools = [...new Set(all.map(({ tool }) => tool))].sort()
  return [
    `Median over the ${few.length} logs with 1 to 3 failures in at least 50 tests: **${shareOf(few)}**.`,
    `Median of all logs of a tool: ${tools.map((tool) => `${tool} ${shareOf(ofTool(tool))}`).join(', ')}.`,
  ].join('\n')
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

function percent(share) {
  return `${(100 * share).toFixed(0)}%`
}
