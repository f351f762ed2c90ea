import { machineLogs } from '../separable/readings/shift-logs.mjs'
import { filesTask } from '../separable/task-folder.mjs'

/** 16 long logs, each to be replaced by one line: whoever judges the changes sees all that was there. */
export function condensedLogs() {
  const all = machineLogs('condensed-logs')
  const by = (text) => Object.fromEntries(all.map((one) => [`logs/${one.machine}.log`, text(one)]))
  const solution = by(({ machine, due }) => `${machine}: ${due} min\n`)
  const hasty = by(({ machine, hasty }) => `${machine}: ${hasty} min\n`)
  return filesTask({
    id: 'condensed-logs',
    title: 'Replace 16 logs by one line each',
    instruction: `# One line for each log

The folder \`logs/\` has the logs of 16 machines, three early shifts each. They take too much room. Replace the text of each log by
one line, \`NAME: N min\`, with the name of the machine and the minutes that it stood unplanned in the three shifts together: from each
line that begins with \`Stopped:\` to the next \`Running again.\`. What it stood for a planned reason (\`Stopped for …\`) does not
count. A note of the foreman corrects the times that it names.

Nothing else of a log stays, and no file is added or removed.
`,
    files: by(({ text }) => text),
    editable: "'logs/*.log'",
    solution,
    test: testOf(Object.fromEntries(all.map(({ machine, due }) => [machine, due]))),
    tests: all.length,
    properties: { difficulty: 0.5, decomposability: 1, sequentialDepth: 2, independentParts: all.length },
    // No program makes small errors in such lines, so simulated agents get theirs here.
    mutants: { hasty, half: { ...solution, ...Object.fromEntries(Object.entries(hasty).slice(8)) } },
  })
}

const testOf = (minutes) => `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = ${JSON.stringify(minutes, null, 2)}

for (const [machine, minutes] of Object.entries(expected))
  test(machine, () => {
    const text = readFileSync(new URL(\`../logs/\${machine}.log\`, import.meta.url), 'utf8')
    assert.equal(text.trim().replace(/\\s+/g, ' '), \`\${machine}: \${minutes} min\`)
  })
`
