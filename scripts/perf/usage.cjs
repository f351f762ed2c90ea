// Preloaded into a measured Node process: tells what the process has used, as it ends. CPU of all its threads, and of
// the child processes that it waited for, which only Linux tells. CommonJS: an ES module would load a loader that
// bare `node -e 0` does without.
const { writeFileSync, readFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

/** Ticks of /proc are hundredths of a second on every Linux that Node supports. */
const tickMs = 10

if (isMainThread && Number(process.env.BENCH_USAGE_PARENT) === process.ppid) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, childrenMs: childrenMs(), rssKiB: maxRSS }
    writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(usage))
  })
}

function childrenMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name of the program, in brackets, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * tickMs
  } catch {
    return null
  }
}
