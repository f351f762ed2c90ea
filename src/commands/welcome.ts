import { existsSync } from 'node:fs'
import { packagedFile, typedCommand } from './terminal/typed-command.ts'

/** What `bench` alone prints: what it is, and commands that work in this folder as they stand there. */
export default function welcome(): string {
  const bench = typedCommand()
  const commands = [
    // A config file might name real models.
    ...(existsSync('bench.config.yaml')
      ? [['run', 'run what bench.config.yaml says']]
      : [
          ['--tasks answers --methods sequential,baseline', 'compare two methods, in seconds'],
          ['init', 'write a config file for bench run'],
        ]),
    ['tasks', 'the built-in tasks'],
    ['methods', 'the ways of organising agents'],
    ['doctor', 'what is here, and what is missing'],
    ['--help', 'all commands; run --help: its options'],
  ].map(([command = '', what = '']) => [`  ${bench} ${command}`, what] as const)
  const width = Math.max(...commands.map(([command]) => command.length))
  return `bench runs ways of organising agents on tasks, and says which one is worth its money.

${commands.map(([command, what]) => `${command.padEnd(width)}  ${what}\n`).join('')}
Without a config file simulated agents answer: no key, no cost. More: ${packagedFile('README.md')}
`
}
