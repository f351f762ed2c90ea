import { existsSync } from 'node:fs'
import { benchCommand, packagedFile } from './terminal/bench-command.ts'

/** Returns the text of `bench` without arguments: what it does, and commands that can be copied and run in this folder. */
export default function welcome(): string {
  const bench = benchCommand()
  const commands = [
    // A config file may name real models, so the example that runs is left out.
    ...(existsSync('bench.config.yaml')
      ? [['run', 'run the plan of bench.config.yaml']]
      : [
          ['--tasks answers --methods sequential,baseline', 'compare two methods, in seconds'],
          ['init', 'write a config file for bench run'],
        ]),
    ['tasks', 'list the built-in tasks'],
    ['methods', 'list the ways of organising agents'],
    ['doctor', 'check what is installed, and what is missing'],
    ['--help', 'list all commands; run --help: its options'],
  ].map(([command = '', what = '']) => [`  ${bench} ${command}`, what] as const)
  const width = Math.max(...commands.map(([command]) => command.length))
  return `bench runs ways of organising agents on the same tasks, and reports which one is worth its money.

${commands.map(([command, what]) => `${command.padEnd(width)}  ${what}\n`).join('')}
Without a config file, simulated agents answer: no key, no cost. See ${packagedFile('README.md')}
`
}
