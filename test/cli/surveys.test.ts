import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'
import { english } from '../harness/sample-trips.ts'
import { surveysOf } from '../harness/surveys.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell()
  agency = await makeAgency(cell)
})
const { invite, send } = surveysOf(() => cell)
const backdesk = (args: string[], of = agency) =>
  runHere([...args, '--account', String(of.number)], folder, {
    ...environmentOf(cell),
    PUBLIC_URL: 'https://desk.example',
  })
const json = async (args: string[]) => JSON.parse((await backdesk([...args, '--json'])).stdout)

describe('backdesk survey and gesture', () => {
  it('list surveys, print their links, and record gestures', async () => {
    const other = await makeAgency(cell)
    const [older, survey] = [await invite(agency, english), await invite(agency, english)]
    await send(survey.path, { likelihood: '3' })
    const { surveys } = await json(['survey', 'list'])
    expect(surveys.map(({ id }: { id: string }) => id)).toEqual([survey.id, older.id])
    expect(surveys[0]).toMatchObject({ customer: 'Ayşe Yılmaz', nps: 3, reminder: 'skipped' })
    expect((await json(['survey', 'list', '--limit', '1'])).surveys).toHaveLength(1)
    expect((await json(['survey', 'link', survey.id])).address).toMatch(/^https:\/\/desk\.example\/f\/[\w-]{60,}$/)
    expect((await backdesk(['survey', 'link', survey.id], other)).stderr).toContain('No survey')

    const gesture = ['gesture', 'record', '--survey', survey.id, '--description', 'Dinner for two']
    const first = await json([...gesture, '--amount', '120.5', '--currency', 'eur'])
    const second = await json(gesture)
    expect((await json(['gesture', 'list'])).gestures).toMatchObject([
      { id: second.id, amount: null, currency: null },
      { id: first.id, survey: survey.id, description: 'Dinner for two', amount: '120.50', currency: 'EUR' },
    ])
    expect((await backdesk(gesture, other)).stderr).toContain('No survey')
  })
  it.each([
    [['--amount', '10'], 'Send amount and currency together.'],
    [['--currency', 'EUR'], 'Send amount and currency together.'],
    [['--amount', '10.5', '--currency', 'JPY'], 'Send at most 0 decimals in JPY.'],
    [['--amount', '10.001', '--currency', 'EUR'], 'amount'],
    [['--amount=-1', '--currency', 'EUR'], 'Must not be negative.'],
    [['--amount', '1e3', '--currency', 'EUR'], 'amount'],
    [['--amount', '10', '--currency', 'EURO'], 'currency'],
    [['--description', ' '], 'description'],
  ])('refuse %j', async (more, reason) => {
    const survey = await invite(agency, english)
    const { code, stderr } = await backdesk([
      'gesture',
      'record',
      '--survey',
      survey.id,
      '--description',
      'Wine',
      ...more,
    ])
    expect([code, stderr.includes(reason)]).toEqual([1, true])
  })
})
