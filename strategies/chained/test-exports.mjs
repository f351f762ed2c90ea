// Makes tests from the exports of files of the current folder, and runs them: `node test-exports.mjs GENERATOR RUNNER SECONDS
// SAVING OUTPUT PATH…`, with an empty OUTPUT for none. Prints the generator's report on each file that is there, and the runner's, as one line of JSON.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const [generator, runner, seconds, saving, output, ...paths] = process.argv.slice(2)
// Whoever started this process with a channel is gone; so are then the tools, which have one to this.
if (process.channel) {
  process.once('disconnect', () => process.exit(1))
  process.channel.unref()
}
const reports = []
for (const path of paths.filter((one) => existsSync(one)))
  reports.push(await runTool(generator, '--target-path', path))
const results = reports.some((report) => report?.success)
  ? await runTool(runner, '--timeout', seconds, '--saving', saving, ...(output ? ['--output', output] : []))
  : undefined
process.stdout.write(JSON.stringify({ reports, results }))

function runTool(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve(JSON.parse(text))
      } catch {
        resolve(null)
      }
    })
  })
}
