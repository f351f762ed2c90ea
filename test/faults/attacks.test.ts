import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { openSandbox, type Sandbox } from '../../src/sandbox/open-sandbox.ts'
import { findToolchain, isInside } from '../../src/sandbox/tools/toolchain.ts'
import { needs } from '../helpers/house/needs.ts'
import { foldersLeft, running } from '../helpers/machine/sandboxes.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { startBench } from '../helpers/runs/cli.ts'
import { codeTask } from '../helpers/runs/sample-task.ts'
import { agentOf, playTrial, strategyOf } from '../helpers/runs/trial.ts'

// Every attack has a hard count and runs inside bubblewrap alone, as a user without rights.
const attacked = needs('bwrap').it
let bubblewrap: Sandbox
beforeAll(async () => {
  bubblewrap = await openSandbox('bubblewrap')
  if (bubblewrap.level !== 'full') throw new Error(`bubblewrap holds nothing off here: ${bubblewrap.remedy}`)
})

/** Plays a live trial whose agent submits the attack. Returns its record when all of its processes have ended. */
async function recordOf(attack: string, timeoutMs = 60_000) {
  const graders = [{ kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs }]
  const { record, steps } = await playTrial({
    agent: agentOf(() => `FILE: src/sum.mjs\n\`\`\`js\n${attack}\n\`\`\`\n`),
    strategy: strategyOf(async ({ ask }) => {
      await ask('solver', 'solve')
      return { stopReason: 'done' }
    }),
    task: codeTask({ spec: { language: 'javascript', graders } }),
    mode: 'live',
    sandbox: bubblewrap.run,
  })
  expect(foldersLeft()).toEqual([])
  expect(record).toMatchObject({ outcome: { status: 'completed' }, passed: false, sandbox: 'full' })
  expect(steps.find(({ kind }) => kind === 'grade')).toMatchObject({ sandbox: 'full', passed: false })
  return record.scores[0]?.reason ?? ''
}

/** Returns code that tries something and throws the result, which becomes the beginning of the recorded reason. */
const met = (attempt: string) => `
  import * as fs from 'node:fs'; import * as net from 'node:net'; import * as os from 'node:os'
  import { spawn, spawnSync } from 'node:child_process'
  const tried = (attempt) => { try { return 'it worked: ' + attempt() } catch (error) { return error.code ?? error.message } }
  throw new Error('met ' + (await (async () => { ${attempt} })()))`

attacked('a fork storm is refused at the limit of processes', async () => {
  const loop = 'i=0; while [ $i -lt 160 ]; do sleep 9 >/dev/null 2>&1 & i=$((i+1)); echo $i; done'
  const reason = await recordOf(
    met(
      `return spawnSync('/bin/sh', ['-c', ${JSON.stringify(loop)}]).stdout.toString().trim().split('\\n').length + ' forks'`,
    ),
  )
  const forks = Number(/met (\d+) forks/.exec(reason)?.[1])
  expect(forks, reason).toBeGreaterThan(20)
  expect(forks, reason).toBeLessThan(128)
})

attacked('10 GB of memory are refused at the limit', async () => {
  const reason = await recordOf(
    'const all = []; for (let i = 0; i < 100; i++) all.push(Buffer.alloc(100 * 2 ** 20, 1))',
  )
  expect(reason).toMatch(/Array buffer allocation failed|ran out of memory, of which it has 1 GiB/)
})

attacked('an endless loop that ignores SIGTERM ends with its time', async () => {
  const token = randomUUID()
  const reason = await recordOf(
    `process.title = '${token}'; process.on('SIGTERM', () => {}); const end = Date.now() + 120_000; while (Date.now() < end);`,
    8000,
  )
  expect(reason).toMatch(/still running after the limit of 8000 ms|never ended|did not answer/)
  expect(running(token)).toBe(0)
})

attacked('nothing is written outside of the workspace', async () => {
  const name = `bench-attack-${randomUUID()}`
  const places = [homedir(), '/usr', '/etc', tmpdir(), process.cwd()].map((place) => join(place, name))
  const reason = await recordOf(
    met(`return ${JSON.stringify(places)}.map((path) => tried(() => fs.writeFileSync(path, ''))).join()`),
  )
  expect(reason).toMatch(/met \w/)
  expect(places.filter((path) => existsSync(path))).toEqual([])
})

attacked(
  'a link out of the workspace leads to nothing, and is not followed when the folder is removed',
  async () => {
    const folder = folderOf({ secret: 'planted' })
    const links = [join(folder, 'secret'), '/etc/shadow', folder]
    const reason = await recordOf(
      met(
        `return ${JSON.stringify(links)}.map((to, i) => tried(() => { fs.symlinkSync(to, 'link' + i); return fs.readFileSync('link' + i) })).join()`,
      ),
    )
    expect(reason).toMatch(/met ENOENT,ENOENT,ENOENT/)
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('planted')
  },
)

attacked('no home is readable', async () => {
  // But for where a version manager keeps Node or Python, which have to be seen.
  const entries = readdirSync(homedir()).map((name) => join(homedir(), name))
  const { folders } = await findToolchain()
  const closed = entries.filter((entry) => !folders.some((folder) => isInside(folder, entry)))
  const paths = [...closed.slice(0, 5), '/home/someone/.ssh/id_ed25519']
  const reason = await recordOf(
    met(`return ${JSON.stringify(paths)}.map((path) => tried(() => fs.statSync(path))).join()`),
  )
  expect(reason).toContain(`met ${paths.map(() => 'ENOENT').join()}`)
})

attacked('no environment shows what is ours, that of no process either', async () => {
  // A variable of this process's initial environment.
  expect(readFileSync('/proc/self/environ', 'latin1')).toContain('VITEST=')
  const reason = await recordOf(
    met(`const pids = fs.readdirSync('/proc').filter((name) => +name > 0)
      const texts = pids.map((pid) => { try { return fs.readFileSync('/proc/' + pid + '/environ', 'latin1') } catch { return '' } })
      return texts.some((text) => text.includes('VITEST=')) || process.env.VITEST ? 'a secret' : 'nothing of ' + (pids.length > 0)`),
  )
  expect(reason).toMatch(/met nothing of true/)
})

attacked('neither loopback nor the outside is reached', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as { port: number }).port
  const reason = await recordOf(
    met(`const connects = (host, port) => new Promise((resolve) => net.connect({ host, port, timeout: 2000 })
        .on('connect', () => resolve('it worked')).on('timeout', () => resolve('it tries')).on('error', ({ code }) => resolve(code)))
      return [await connects('127.0.0.1', ${port}), await connects('192.0.2.1', 80)].join()`),
  ).finally(() => server.close())
  expect(reason).toMatch(/met ECONNREFUSED,ENETUNREACH/)
  expect(connections).toBe(0)
})

attacked('a file of 1 GB is cut at the limit', async () => {
  const reason = await recordOf(
    met(`const chunk = Buffer.alloc(16 * 2 ** 20); const file = fs.openSync('long', 'a')
      return tried(() => { for (let i = 0; i < 64; i++) fs.writeSync(file, chunk) }) + ' at ' + fs.statSync('long').size / 2 ** 20`),
  )
  expect(reason).toMatch(/met EFBIG at 64\b/)
})

attacked('a daemon with a session of its own does not outlive its trial', async () => {
  const token = randomUUID()
  const daemon = `['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', '${token}']`
  const reason = await recordOf(
    met(`spawn(process.execPath, ${daemon}, { detached: true, stdio: 'inherit' }).unref()
      return fs.readdirSync('/proc').filter((pid) => +pid > 1 && fs.readFileSync('/proc/' + pid + '/cmdline', 'latin1').includes('${token}')).length + ' daemon'`),
  )
  expect(reason).toMatch(/met 1 daemon/)
  expect(running(token)).toBe(0)
})

attacked('kill -9 of the harness ends what it ran, and the next start removes what it left', async () => {
  const [place, token] = [tempFolder(), randomUUID()]
  chmodSync(place, 0o755)
  const attack = join(place, 'attack.mjs')
  writeFileSync(
    attack,
    `process.title = '${token}'; const end = Date.now() + 120_000; while (Date.now() < end);`,
  )
  const env = { TMPDIR: place, ATTACK_FILE: attack }
  const agent = argv`--mode live --agents scripted:${join(process.cwd(), 'fixtures/agents/attacker.mjs')}`
  const live = startBench(['--tasks', 'duration-text', '--methods', 'baseline', ...agent], { env })
  const left = () => readdirSync(place).filter((name) => /^bench-\w{8}-/.test(name))
  while (running(token) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  live.kill('SIGKILL')
  await live.ended
  for (let waited = 0; waited < 5000 && running(token) > 0; waited += 20)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(running(token)).toBe(0)
  expect(left().length).toBeGreaterThan(0)
  const next = startBench(argv`--tasks word-rewriting --methods baseline --agents oracle`, {
    env,
  })
  expect(await next.ended).toMatchObject({ code: 0 })
  expect(left()).toEqual([])
})
