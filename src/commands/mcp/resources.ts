import { basename } from 'node:path'
import type { McpServer } from '@modelcontextprotocol/server'
import { loadPackage } from '../../base/load-package.ts'
import { UserError } from '../../text/errors.ts'
import { findRuns } from '../runs.ts'
import { callBench, cut, type Printed } from './call-bench.ts'
import { namedRuns } from './run-names.ts'

/** Most runs that a list of resources names. */
const longestList = 200

/** Adds what a client may read by address: `bench://runs/RUN/summary.md`, `report.md` and `trials/TRIAL`. */
export function addResources(server: McpServer, folder: string): void {
  const { ResourceTemplate } = loadPackage(
    '@modelcontextprotocol/server',
  ) as typeof import('@modelcontextprotocol/server')
  const runs = namedRuns(folder)
  const whole = (run: string) => runs.opened({ run, peek: false })
  const add = (
    name: string,
    place: string,
    description: string,
    read: (run: string, trial: string) => Promise<Printed>,
  ) =>
    server.registerResource(
      name,
      new ResourceTemplate(`bench://runs/{run}/${place}`, {
        list: place.includes('{') ? undefined : () => ({ resources: runsWith(folder, place) }),
      }),
      { description, mimeType: 'text/markdown' },
      async (uri, { run = '', trial = '' }) => {
        const { text, isError } = await read(String(run), String(trial))
        if (isError)
          throw new UserError({ where: uri.href, what: text.trim(), fix: 'See the tool list_runs.' })
        return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: cut(text) }] }
      },
    )
  add('summary', 'summary.md', 'The tables of a run, with what they mean', (run) =>
    callBench(['report', whole(run), '--format=markdown', '--section=screen']),
  )
  add('report', 'report.md', 'The whole report of a run', (run) =>
    callBench(['report', whole(run), '--format=markdown']),
  )
  add('trial', 'trials/{trial}', 'The story of one trial', (run, trial) =>
    callBench(['show', whole(run), trial.replace(/^-+/, ''), '--no-answers']),
  )
}

function runsWith(folder: string, place: string) {
  return findRuns(folder)
    .slice(-longestList)
    .reverse()
    .map((path) => ({
      name: basename(path),
      uri: `bench://runs/${encodeURIComponent(basename(path))}/${place}`,
    }))
}
