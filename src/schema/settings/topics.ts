import type { SettingName } from './settings.ts'

/** The headings of `bench run --help`, each with its options, in the order of the help. Every setting is under one (a test). */
export const settingTopics: Readonly<Record<string, readonly SettingName[]>> = {
  'What to run:': ['tasks', 'skipInvalid', 'tag', 'where', 'sample', 'methods', 'epochs', 'seed', 'parallel'],
  'Who answers:': [
    ...(['agents', 'agent', 'judges', 'mode', 'dev', 'profile', 'tools', 'toolTurns', 'prices'] as const),
    ...(['allowProviderTools', 'approve'] as const),
  ],
  'Before it begins:': ['dryRun', 'estimateFrom', 'confirmAbove', 'yes', 'config', 'noConfig'],
  'Limits:': [
    ...(['maxCost', 'maxTokens', 'maxCalls', 'maxTime', 'methodLimit', 'limit', 'allowUnpriced'] as const),
    ...(['retries', 'keepGoing', 'endBlocked'] as const),
  ],
  'What is compared:': [
    ...(['baseline', 'family', 'outcome', 'margin', 'matchBudget', 'bracket', 'stopWhen'] as const),
    ...(['gradeCandidates', 'calibration', 'inject'] as const),
  ],
  'The run folder, and how to go on:': [
    ...(['out', 'keepWorkspaces', 'resume', 'retryErrors', 'acceptChanges', 'takeOver', 'repair'] as const),
  ],
  'What it prints and tells:': ['json', 'quiet', 'failIf', 'junit', 'stepSummary', 'notify'],
  'Code and keys:': ['sandbox', 'allowUnsandboxed', 'trustCode', 'secret'],
  'A free request instead of tasks:': ['instruction', 'workspace', 'include'],
  'Verdicts from a file:': ['verdicts', 'updateVerdicts', 'proveVerdicts'],
}
