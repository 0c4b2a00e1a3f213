import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeHot } from '../bsp/writers/hot.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, outputOf } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

/** Runs `backdesk bsp …` in this process, and returns its output. */
const bsp = (...args: string[]): Promise<string> =>
  outputOf(['bsp', ...args, '--account', String(agency.number)], folder, environmentOf(cell))
async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

describe('backdesk bsp', () => {
  it('imports a HOT file and a CSV with a map, lists both, and removes one', async () => {
    const document = {
      number: '2352403123456',
      code: 'TKTT',
      issuedOn: '2026-03-02',
      fare: 24_000,
      taxes: [7_840],
      commission: 720,
    }
    const hot = await file(
      'HOT.txt',
      writeHot({ offices: [{ agent: '88123456', periodOn: '2026-03-15', unit: 'EUR2', documents: [document] }] }),
    )
    const printed = await bsp('import', hot)
    expect(printed).toMatch(/^Imported 1 documents of Test Seyahat, issued on 2026-03-02, as [\w-]{36}\./)
    expect(printed).toContain('EUR       318.40  7.20        311.20')
    expect(await bsp('import', hot)).toContain('This file was already imported: 1 documents')

    const csv = await file(
      'march.csv',
      'Belge;Tarih;Tutar\n235-2403123457;05.03.2026;1.234,50\n235-2403123458;07.03.2026;-10,00\n',
    )
    const mapped = ['--map', 'Belge=number,Tarih=issued_on', '--map', 'tutar=total']
    const imported = JSON.parse(
      await bsp(
        'import',
        csv,
        ...mapped,
        '--currency',
        'TRY',
        '--period',
        '2026-03-15',
        '--company',
        agency.otherCompany,
        '--json',
      ),
    )
    expect(imported).toMatchObject({
      status: 'imported',
      format: 'csv',
      documents: 2,
      totals: [{ currency: 'TRY', total: '1224.50' }],
      warnings: [],
    })
    const again = await bsp('import', csv, ...mapped, '--currency', 'EUR')
    expect(again).toContain('This file was already imported')
    expect(again).toMatch(/Test Reisen/)
    expect(again).toMatch(/^TRY +1224\.50 +- +-$/m) // as imported first, whatever the arguments are now
    const { billings } = JSON.parse(await bsp('list', '--json'))
    expect(billings).toMatchObject([
      {
        id: imported.id,
        company: 'Test Reisen',
        format: 'csv',
        filename: 'march.csv',
        documents: 2,
        first_issue: '2026-03-05',
        last_issue: '2026-03-07',
        periods: ['2026-03-15'],
      },
      { company: 'Test Seyahat', format: 'hot', filename: 'HOT.txt', documents: 1 },
    ])
    expect(await bsp('remove', imported.id)).toBe('Removed march.csv with 2 documents.\n')
    expect(JSON.parse(await bsp('list', '--json')).billings).toHaveLength(1)
  })
  it('reports errors, and imports nothing', async () => {
    const csv = await file(
      'bad.csv',
      'number,date,currency,total\n2352403123456,2026-03-02,EUR,5\n2352403123457,2026-03-02,EUR,5.5.5\n',
    )
    for (const [expectedText, ...args] of [
      ['Line 3: "5.5.5" is not an amount in EUR', 'import', csv],
      ['The file has no column "x"', 'import', csv, '--map', 'x=total'],
      ['--map takes COLUMN=FIELD, not x', 'import', csv, '--map', 'x'],
      ['--currency takes a code', 'import', csv, '--currency', 'euro'],
      ['--period takes a date', 'import', csv, '--period', '15.03.2026'],
      ['none.csv: it does not exist', 'import', join(folder, 'none.csv')],
      ['is not the id of a billing', 'remove', 'x'],
      ['No billing', 'remove', agency.otherCompany],
    ] as [string, ...string[]][])
      await expect(bsp(...args)).rejects.toThrow(expectedText)
    expect(JSON.parse(await bsp('list', '--json')).billings).toHaveLength(1)
  })
})
