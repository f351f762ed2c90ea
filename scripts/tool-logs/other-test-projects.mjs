// Small node:test and pytest projects that fail, each in another way.

const nodeGood = (count) =>
  `import { test } from 'node:test'
for (let i = 1; i <= ${count}; i++) test(\`holds \${i}\`, () => {})
`

export const nodeProjects = {
  'node-assertions': {
    tool: 'node:test',
    files: {
      'package.json': '{ "type": "module" }\n',
      'test/good.test.js': nodeGood(56),
      'test/words.test.js': `import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
describe('words', () => {
  it('are counted', () => assert.equal('a b c'.split(' ').length, 3))
  it('are sorted', () => {
    assert.deepEqual(['b', 'a'], ['a', 'b'])
  })
  describe('in "quotes" & <tags>', () => {
    it('stay whole', () => {
      assert.equal('it’s', "it's")
    })
  })
  it('are not written yet', { todo: true }, () => {})
  it('are skipped', { skip: 'not today' }, () => {})
})
`,
    },
  },
  'node-parents': {
    tool: 'node:test',
    files: {
      'package.json': '{ "type": "module" }\n',
      'test/parent.test.js': `import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
test('a parent that fails by itself', async (t) => {
  await t.test('its child passes', () => {})
  assert.fail('the parent says no')
})
test('a parent of a child that fails', async (t) => {
  await t.test('the child fails', () => assert.fail('the child says no'))
})
describe('a group', () => {
  it('fails inside', () => assert.fail('inside'))
})
test('has no end', { timeout: 100 }, () => new Promise((done) => setTimeout(done, 5000)))
`,
      'test/throws.test.js': "throw new Error('this file cannot be loaded')\n",
      'test/syntax.test.js': "import { test } from 'node:test'\ntest('never runs' () => {})\n",
      'test/good.test.js': nodeGood(5),
    },
  },
}

export const pytestProjects = {
  'pytest-assertions': {
    tool: 'pytest',
    files: {
      'app/__init__.py': '',
      'app/cart.py':
        'def total(items):\n    if any(i < 0 for i in items):\n        raise ValueError("below 0")\n    return sum(items) + 1\n',
      'tests/test_good.py':
        'import pytest\n\n\n@pytest.mark.parametrize("i", range(56))\ndef test_holds(i):\n    assert i + 1 > i\n',
      'tests/test_cart.py': `import pytest

from app.cart import total


class TestCart:
    def test_adds(self):
        """The sum of all."""
        items = [2, 3]
        assert total(items) == 5

    def test_refuses(self):
        total([-1])


def test_empty():
    assert total([]) == 0


def test_type():
    assert isinstance(total([1]), int)


@pytest.mark.skip(reason="not today")
def test_later():
    pass


@pytest.mark.xfail
def test_known():
    assert False
`,
      'conftest.py': '',
    },
  },
  'pytest-parametrised': {
    tool: 'pytest',
    files: {
      'tests/größe/test_日本語.py': `import pytest


@pytest.mark.parametrize("text", ["a", "größe", "漢字", "a b", "x/y", "<tag> & \\"quote\\"", "line\\nbreak"] + [str(i) for i in range(50)])
def test_is_short(text):
    assert len(text) < 4 or text == "größe" or text == "line\\nbreak"


@pytest.mark.xfail(strict=True)
def test_passes_by_surprise():
    pass
`,
    },
  },
  'pytest-collection': {
    tool: 'pytest',
    files: {
      'test_syntax.py': 'def test_never(:\n    pass\n',
      'test_import.py': 'import not_there_at_all\n\n\ndef test_never():\n    pass\n',
      'test_good.py': 'def test_good():\n    pass\n',
    },
  },
}
