import { expect, it } from 'vitest'
import { emptySections, missingSections } from '../../../src/workflows/document/personas.ts'
import { tableOf } from '../../helpers/house/tables.ts'

it.each([
  '# Task\n\n# Output\n',
  'You write.\n\n## Your Task\n1. Write.\n\n## Output Format\nText.\n',
  '###### TASK ######\r\n\r\n### output\r\n',
  '## **Task**\n## Output:\n',
  '## 1. Task\n## 2) Output\n',
  'Task\n====\n\nOutput\n------\n',
  '```\n# Note\n```\n# Task\n~~~md\n```\n~~~\n# Output\n',
])('%j has its sections', (text) => {
  expect(missingSections(text)).toEqual([])
})

it.each([
  ['', ['Task', 'Output']],
  ['Task\nOutput\n', ['Task', 'Output']],
  ['#Task\n# Outputs\n', ['Task']],
  ['# Tasks\n# Output\n', ['Task']],
  ['# Task\n```\n# Output\n```\n', ['Output']],
  ['# Task\n~~~~\n~~~\n# Output\n', ['Output']],
  ['# Task\n    # Output\n', ['Output']],
  ['# The task\n# Output\n', ['Task']],
])('%j lacks %j', (text, missing) => {
  expect(missingSections(text)).toEqual(missing)
})

it.each(tableOf<[string, string[]][]>(import.meta.url, 'nothing'))('%j has nothing in %j', (text, empty) => {
  expect(emptySections(text)).toEqual(empty)
})
