import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@babel/parser'
import { scriptOptions } from './script-options.mjs'

// Plants one small fault after the other in src, in a checkout in which nobody works meanwhile: do its unit tests notice?
const values = scriptOptions('npm run mutate:src [-- --count N --seed N --only TEXT]', {
  count: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
})
const root = fileURLToPath(new URL('..', import.meta.url))

const swapped = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '&&': '||', '||': '&&', '??': '&&' },
}
const dropped = new Set(['ExpressionStatement', 'ThrowStatement', 'ReturnStatement', 'ContinueStatement'])

/** Returns the faults of a node: its place, what stands there then, and a word. */
function faultsOf(node, source) {
  const text = source.slice(node.start, node.end)
  const at = (start, end, by, what) => [{ start, end, by, what }]
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    const { start, end } = node.test
    return at(start, end, `!(${source.slice(start, end)})`, 'negated condition')
  }
  if (node.type === 'NumericLiteral') return at(node.start, node.end, `(${text} + 1)`, 'off by one')
  if (node.operator in swapped && node.left && !/Assignment/.test(node.type)) {
    const start = source.indexOf(node.operator, node.left.end)
    return at(start, start + node.operator.length, swapped[node.operator], 'other operator')
  }
  // An empty statement stands for the dropped one, so the rest still parses.
  if (dropped.has(node.type)) return at(node.start, node.end, ';', 'dropped statement')
  return []
}

/** Types are no behaviour. */
function visit(node, found, source) {
  if (Array.isArray(node)) for (const one of node) visit(one, found, source)
  else if (typeof node?.type === 'string' && !/^TS(?!As|Satisfies|NonNull)|^Import/.test(node.type)) {
    found.push(...faultsOf(node, source))
    for (const part of Object.values(node)) if (part && typeof part === 'object') visit(part, found, source)
  }
}

function faultsIn(path) {
  const source = readFileSync(join(root, path), 'utf8')
  const found = []
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program.body, found, source)
  return found.map((fault) => ({ ...fault, path, source }))
}

/** Mulberry32: the same faults for the same seed. */
function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function chosenFaults(count, seed) {
  const random = seeded(seed)
  const paths = readdirSync(join(root, 'src'), { recursive: true })
    .filter((path) => /\.ts$/.test(path) && path.includes(values.only))
    .map((path) => `src/${path}`)
    .sort()
  const chosen = []
  for (let tries = 0; chosen.length < count && tries < count * 50; tries++) {
    const faults = faultsIn(paths[Math.floor(random() * paths.length)])
    if (faults.length > 0) chosen.push(faults[Math.floor(random() * faults.length)])
  }
  return chosen
}

/** Whether a test fails, or does not end. */
function isNoticed({ path, source, start, end, by }) {
  const file = join(root, path)
  const stop = () => writeFileSync(file, source)
  process.once('exit', stop)
  writeFileSync(file, source.slice(0, start) + by + source.slice(end))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [
    'related',
    path,
    '--run',
    '--dir',
    'test',
    '--project',
    'unit',
    '--project',
    'alone',
    '--bail',
    '1',
  ]
  const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, timeout: 600_000 })
  stop()
  process.off('exit', stop)
  return status !== 0
}

process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
const faults = chosenFaults(Number(values.count), Number(values.seed))
let noticed = 0
for (const fault of faults) {
  const { path, source, start, what } = fault
  const isSeen = isNoticed(fault)
  if (isSeen) noticed++
  const line = source.slice(0, start).split('\n').length
  process.stdout.write(`${isSeen ? 'noticed ' : 'SURVIVED'} ${path}:${line} ${what}\n`)
}
const share = (100 * noticed) / faults.length
process.stdout.write(
  `${noticed} of ${faults.length} faults noticed (${share.toFixed(0)}%), seed ${values.seed}\n`,
)
