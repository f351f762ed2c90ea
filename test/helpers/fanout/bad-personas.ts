import { type BadMachine, bad, inPersona } from './bad-machine.ts'
import { persona } from './machines.ts'

/** Mistakes of personas and their templates. */
export const personas: Readonly<Record<string, BadMachine>> = {
  'an unknown persona': bad(
    'draft',
    'writer',
    'wirter',
    '20:5 states.draft.persona: there is no persona "wirter"',
  ),
  'a persona by its path': bad(
    'draft',
    'writer',
    'personas/writer.md',
    '20:5 states.draft.persona: "personas/writer.md" is a path, not',
  ),
  'no persona': bad(
    'draft',
    '    persona: writer\n',
    '',
    '11:3 personas.writer: no state or agent uses',
    '17:3 states.draft: has no persona, and its',
  ),
  'a missing file': bad(
    'personas',
    'personas/writer.md',
    'personas/writr.md',
    '11:3 personas.writer: there is no file personas/writr.md',
  ),
  'an absolute file': bad(
    'personas',
    'personas/writer.md',
    '/etc/passwd',
    '11:3 personas.writer: must be a path relative',
  ),
  'a part of a text': inPersona(
    'writer',
    persona('{{ task.constructor }}'),
    'flows/personas/writer.md:3:4: there is no task.constructor here',
  ),
  'an empty persona': inPersona('writer', ' \n', 'flows/personas/writer.md: is empty'),
  'a persona without sections': inPersona(
    'writer',
    'Write.\n',
    'flows/personas/writer.md: has no section "Task"',
    'flows/personas/writer.md: has no section "Output"',
  ),
  'a section with nothing in it': inPersona(
    'writer',
    '# Task\n\n## Notes\n\n# Output\nText.\n',
    'flows/personas/writer.md: has nothing in the section',
  ),
  'sections with nothing in them': inPersona(
    'writer',
    '# Task\n<!-- later -->\n# Output\n',
    'flows/personas/writer.md: has nothing in the section',
    'flows/personas/writer.md: has nothing in the section',
  ),
  'a persona that nobody uses': bad(
    'personas',
    '  gate: personas/gate.md',
    '  gate: personas/gate.md\n  spare: personas/gate.md',
    '14:3 personas.spare: no state or agent uses',
  ),
  'an unknown variable': inPersona(
    'writer',
    persona('{{ taks }}'),
    'flows/personas/writer.md:3:4: there is no variable "taks"',
  ),
  'a variable that needs an input': inPersona(
    'writer',
    persona('{{ audits }}'),
    'flows/personas/writer.md:3:4: there is no variable "audits"',
  ),
  'an unknown part of an input': inPersona(
    'auditor',
    persona('{% for one in drafts %}{{ one.txt }}{% endfor %}'),
    'flows/personas/auditor.md:3:27: there is no one.txt here',
  ),
  'several unknown parts, one behind another': inPersona(
    'auditor',
    persona(
      '{{ taks }}{% for one in drafts %}{% if one.txt %}{{ one.agnt | append: one.naem }}{% endif %}{{ one.tex }}{% endfor %}{{ task.words }}',
    ),
    'flows/personas/auditor.md:3:4: there is no variable "taks"',
    'flows/personas/auditor.md:3:40: there is no one.txt here',
    'flows/personas/auditor.md:3:53: there is no one.agnt here',
    'flows/personas/auditor.md:3:72: there is no one.naem here',
    'flows/personas/auditor.md:3:97: there is no one.tex here',
    'flows/personas/auditor.md:3:122: there is no task.words here',
  ),
  'an unknown part that only a later visit reads': inPersona(
    'writer',
    persona('{{ task.one }}{% if guidance %}{{ guidance.two }}{% endif %}'),
    'flows/personas/writer.md:3:4: there is no task.one here',
    'flows/personas/writer.md:3:35: there is no guidance.two here',
  ),
  'the text of an agent that may fail': inPersona(
    'auditor',
    persona('{{ drafts[1].text }}'),
    'flows/personas/auditor.md:3:4: drafts.1 may be missing: an',
  ),
  'a variable in a system prompt': inPersona(
    'lead',
    persona('{{ task }}'),
    'flows/personas/lead.md:3:4: a system prompt has no',
  ),
  'a template that is not closed': inPersona(
    'writer',
    persona('{% if task %}'),
    'flows/personas/writer.md:3:1: is no valid template: tag',
  ),
  'an unknown filter': inPersona(
    'writer',
    persona('{{ task | upcas }}'),
    'flows/personas/writer.md:3:1: there is no filter "upcas"',
  ),
}
