// Measures README's first command as a newcomer types it: on a PATH with Node, npm, git and coreutils alone, with an empty cache and
// again with the cache that this made. Waiting is counted in starts of Node, taken in the same round.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bench, each, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'

/** As README has it, so that a changed command is measured as it is then. */
const [, words] = /^npm ci && npx bench (.*)$/m.exec(readFileSync(pathOf('../../README.md'), 'utf8')) ?? []
const first = words.split(' ')
const answers = ['--tasks', 'answers', '--methods', 'sequential,baseline']

export async function firstCommand(rounds) {
  const path = temporaryFolder()
  execFileSync('sh', [pathOf('../bare-path.sh'), path])
  const place = { path, cwd: temporaryFolder() }
  let cache = temporaryFolder()
  // A run takes a minute, and its ratio hardly varies.
  const { cold, warm } = await inTurn(Math.min(rounds, 3), {
    cold: () => {
      rmSync(cache, { recursive: true, force: true })
      cache = temporaryFolder()
      return cpuOf(place, cache, first)
    },
    warm: () => cpuOf(place, cache, first),
  })
  const waits = await inTurn(rounds, {
    node: () => timeUntil(place, ['-e', '0']),
    trial: () => timeUntil(place, [bench, ...first], /^[1-9]\d*\/\d+ {2}/m),
    answers: () => timeUntil(place, [bench, ...answers]),
  })
  const wait = (what, ours, atMost) => makeRow(what, 'ms', ours, 'node -e 0', waits.node, { atMost })
  return [
    makeRow('README’s first command, cold, CPU', 'ms', each('cpuMs', cold), 'warm', each('cpuMs', warm), {
      atMost: 1.3,
    }),
    wait('its first graded trial, cold, waiting', waits.trial, 30),
    wait('--tasks answers, two methods, cold, waiting', waits.answers, 20),
  ]
}

const environment = ({ path }, cache) => ({ PATH: path, ORCHESTRATION_BENCH_CACHE: cache, HOME: cache })

function cpuOf(place, cache, args) {
  const set = Object.entries(environment(place, cache)).map(([name, value]) => `${name}=${value}`)
  return measure({ node: '/usr/bin/env', args: [...set, process.execPath, bench, ...args], cwd: place.cwd })
}

/** Milliseconds until a Node program with an empty cache has written such a line to stderr, or without one until it has ended. */
async function timeUntil(place, args, line) {
  const env = environment(place, join(temporaryFolder(), 'cache'))
  const started = performance.now()
  const child = spawn(process.execPath, args, { cwd: place.cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let text = ''
  let at
  child.stderr.on('data', (part) => {
    text += part
    if (at !== undefined || !line?.test(text)) return
    at = performance.now()
    child.kill('SIGTERM')
  })
  const [code] = await ended
  at ??= performance.now()
  if (line ? !line.test(text) : code !== 0) throw new Error(`${args.join(' ')}: ${text.slice(-300)}`)
  return at - started
}
