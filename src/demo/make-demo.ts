import type { Deps } from '../deps.ts'
import { createAccount } from '../features/accounts/commands/create-account.ts'
import { insertBranch } from '../features/accounts/commands/create-branch.ts'
import { insertSeat } from '../features/accounts/commands/create-seat.ts'
import { createKey } from '../features/api-keys/commands/create-key.ts'
import { runImport } from '../imports/run.ts'
import type { Operator } from '../platform/audit.ts'
import { statement } from '../platform/db/statement.ts'
import { dayIn } from '../platform/time.ts'
import { importables } from '../registry.ts'
import { makeAgency } from './make-agency.ts'

const NAME = 'Ege Yolları Seyahat'
const TIME_ZONE = 'Europe/Istanbul'
const COMPANY = { country: 'TR', currency: 'TRY' }
const SIZE = { customers: 240, suppliers: 40, stays: 400 }
const SEED = 2026
/** Its own namespace, so that no file imported later changes the demo's records. */
const SOURCE = 'demo'
const OPERATOR: Operator = { name: 'demo', source: 'command line' }

export type Demo = {
  readonly name: string
  readonly account: { readonly id: number; readonly uuid: string }
  readonly keys: { readonly full: string; readonly import: string; readonly ticket_import: string }
  /** Records made, by entity. */
  readonly records: Readonly<Record<string, number>>
}

const unused = statement<{ name: string }, { unused: boolean }>(`
  select not exists (select from accounts a where a.name <> $name or exists (select from api_keys k where k.account_id = a.account_id)) as unused`)

/** Whether the cell has nothing yet, or nothing but a demo agency that was not finished. */
export async function demoIsWanted({ db }: Deps): Promise<boolean> {
  const [found] = await db.askSystem('see whether the cell is new', unused, { name: NAME })
  return found?.unused ?? false
}

/** Makes a demo agency through the import itself; its keys come last, so that a demo without keys is an unfinished one. */
export async function makeDemo(deps: Deps): Promise<Demo> {
  const { db, config } = deps
  const made = await db.asSystem('make the demo agency', async (tx) => {
    const created = await createAccount(
      tx,
      config.region,
      {
        name: NAME,
        plan: 'business',
        timeZone: TIME_ZONE,
        ...COMPANY,
        ownerEmail: 'deniz.aksoy@egeyollari.example',
        ownerName: 'Deniz Aksoy',
      },
      OPERATOR,
    )
    const branchId = await insertBranch(
      tx,
      created.account.id,
      { companyId: created.company.id, name: 'Kadıköy', code: 'KDK' },
      false,
    )
    await insertSeat(tx, created.account.id, {
      name: 'Elif Şahin',
      email: 'elif.sahin@egeyollari.example',
      role: 'advisor',
      branchId,
    })
    await insertSeat(tx, created.account.id, {
      name: 'Murat Öz',
      email: 'murat.oz@egeyollari.example',
      role: 'accountant',
      branchId: null,
    })
    return created
  })
  const records = await importAgency(deps, made.account.id, made.company.id, made.branch.id)
  const keys = await db.asSystem('make the keys of the demo agency', async (tx) => {
    const key = async (scope: string) =>
      (
        await createKey(
          tx,
          made.account.id,
          { name: `Demo (${scope})`, scopes: [scope], role: null, expiresAt: null, allowedCidrs: [] },
          OPERATOR,
        )
      ).key
    return { full: await key('full'), import: await key('import'), ticket_import: await key('ticket_import') }
  })
  return { name: NAME, account: made.account, keys, records }
}

async function importAgency(
  { db, now }: Deps,
  account: number,
  company: string,
  branch: string,
): Promise<Record<string, number>> {
  const today = dayIn(TIME_ZONE, now())
  const agency = makeAgency({ seed: SEED, ...SIZE, today })
  const records: Record<string, number> = {}
  for (const importable of importables) {
    const rows = agency[importable.entity.key as keyof typeof agency]
    const { counts } = await db.inAccount(account, async (tx) =>
      runImport(tx, importable, {
        rows,
        origin: { company, branch, source: SOURCE },
        named: { company: false, branch: false },
        onConflict: 'skip',
        read: { decimalSeparator: null, ...COMPANY },
        context: { currency: COMPANY.currency, today, now: await tx.now },
      }),
    )
    records[importable.entity.key] = counts.created
  }
  return records
}
