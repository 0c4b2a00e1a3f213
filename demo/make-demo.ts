import type { Deps } from '../src/deps.ts'
import type { NewSeat } from '../src/features/accounts/accounts.store.ts'
import { createAccount } from '../src/features/accounts/commands/create-account.ts'
import { createSeat } from '../src/features/accounts/commands/create-seat.ts'
import { createBranch } from '../src/features/accounts/commands/save-branch.ts'
import { SERVER_OPERATOR } from '../src/features/accounts/commands/seat-rules.ts'
import { updateSeat } from '../src/features/accounts/commands/update-seat.ts'
import { findDesk } from '../src/features/accounts/reads/find-desk.ts'
import { createKey } from '../src/features/api-keys/commands/edit-key.ts'
import { dropRates, saveRates } from '../src/features/exchange-rates/exchange-rates.store.ts'
import { linkAddress, makeLink } from '../src/features/sign-in/commands/make-link.ts'
import { deskOf } from '../src/imports/desk.ts'
import { runBatch } from '../src/imports/engine/run.ts'
import { ALL_POLICIES } from '../src/platform/access/policies.ts'
import * as pg from '../src/platform/db/pg-types.ts'
import { statement } from '../src/platform/db/statement.ts'
import type { Operator } from '../src/platform/operator.ts'
import { dayIn } from '../src/platform/time.ts'
import { importables } from '../src/registry.ts'
import { type Agency, makeAgency } from './make-agency.ts'
import { makeRates, RATES_BASE } from './make-rates.ts'
import { makeTrips } from './make-trips.ts'
import { calendarAround } from './pieces/calendar.ts'
import { seeded } from './random.ts'
import { SEATS, SECOND_ADVISOR } from './vocabulary.ts'
import { makeMessages } from './year/make-messages.ts'
import { makeYear } from './year/make-year.ts'
import type { InvoicedOn } from './year/past-invoices.ts'
import { timelineOf } from './year/timeline.ts'

const NAME = 'Ege Yolları Seyahat'
const TIME_ZONE = 'Europe/Istanbul'
const COMPANY = { country: 'TR', currency: 'TRY' }
const SIZE = {
  customers: 240,
  suppliers: 40,
  leads: 80,
  tour_departures: 12,
  tickets: 150,
  hotel_stays: 400,
  transfers: 60,
  cruises: 30,
  car_rentals: 30,
  tour_bookings: 60,
  operator_invoices: 20,
  supplier_bills: 30,
}
const SEED = 2026
/** The first day of the data: half a year before the agency's year. */
const FIRST_RATE_DAY = -184
/** Its own namespace, so that no file imported later changes the demo's records. */
const SOURCE = 'demo'
const OPERATOR: Operator = { name: 'demo', source: 'command line' }

export type Demo = {
  readonly name: string
  readonly account: { readonly id: number; readonly uuid: string }
  readonly keys: { readonly full: string; readonly import: string; readonly ticket_import: string }
  /** Records made, by entity. */
  readonly records: Readonly<Record<string, number>>
  /** Where a shared trip is shown, a survey is answered, and a referral code leads to, from the cell's address on. */
  readonly sharedTrip: string
  readonly survey: string
  readonly referral: string
  /** Signs in to the console as the owner: once, within an hour. */
  readonly signIn: string
}

const unused = statement(
  { name: pg.text },
  { unused: pg.boolean },
  `
  select not exists (select from accounts a where a.name <> $name or exists (select from api_keys k where k.account_id = a.account_id)) as unused`,
)

/** Whether the cell has nothing yet, or nothing but a demo agency that was not finished. */
export async function demoIsWanted({ db }: Deps): Promise<boolean> {
  const [found] = await db.askSystem('check whether the cell is new', unused, { name: NAME })
  return found?.unused ?? false
}

/** The branch and the seat that the files in `samples/` refer to. */
const PRINTER = { office_ids: ['ISTTK2100'], iata_numbers: ['99999992'] }
const SIGNS = ['1001AY']

/** Makes a demo agency through the import itself; its keys come last, so that a demo without keys is an unfinished one. */
export async function makeDemo(deps: Deps): Promise<Demo> {
  const { config } = deps
  const db = deps.db.as(OPERATOR)
  const created = await db.asSystem('make the demo agency', (tx) =>
    createAccount(
      tx,
      config.accountNumbers,
      {
        name: NAME,
        plan: 'business',
        timeZone: TIME_ZONE,
        ...COMPANY,
        ownerEmail: SEATS.owner.email,
        ownerName: SEATS.owner.name,
      },
      OPERATOR,
    ),
  )
  const made = await db.inAccount(created.account.id, async (tx) => {
    const branch = { name: 'Kadıköy', code: 'KDK', ...PRINTER }
    return { ...created, branchId: await createBranch(tx, created.company.id, branch) }
  })
  const advisors = await db.inAccount(made.account.id, async (tx) => {
    const { branchId } = made
    const makeSeat = (seat: NewSeat) => createSeat(tx, SERVER_OPERATOR, seat)
    const advisor = await makeSeat({ ...SEATS.advisor, role: 'advisor', branchId })
    await updateSeat(tx, SERVER_OPERATOR, advisor, { agent_sines: SIGNS })
    const second = await makeSeat({ ...SECOND_ADVISOR, role: 'advisor', branchId })
    await makeSeat({ ...SEATS.accountant, role: 'accountant', branchId: null })
    return [advisor, second]
  })
  const today = dayIn(TIME_ZONE, deps.now())
  await loadRates(deps, today)
  const to = { today, account: made.account.id, company: made.company.id, branch: made.branch.id }
  const { leads, ...agency } = makeAgency({ seed: SEED, ...SIZE, today })
  const { rows, invoiced } = withoutInvoices(agency)
  const records = await importAgency(deps, to, rows)
  await db.inAccount(made.account.id, async (tx) => makeMessages(tx))
  await db.asSystem('delete the made-up rates', (tx) => dropRates(tx, SOURCE))
  const of = { today, advisors }
  const year = await db.inAccount(made.account.id, async (tx) =>
    makeYear(tx, deps, {
      ...of,
      desk: await findDesk(tx, null),
      random: seeded(SEED),
      time: timelineOf(TIME_ZONE, today, deps.now()),
      calendar: calendarAround(today),
      invoiced,
    }),
  )
  // Lists are ordered by creation, newest first, so today's leads are created after those of the year.
  const late = await importAgency(deps, to, { leads })
  const trips = await db.inAccount(made.account.id, async (tx) =>
    makeTrips(tx, { ...of, desk: await findDesk(tx, null) }),
  )
  const keys = await db.inAccount(made.account.id, async (tx) => {
    const key = async (scope: string) =>
      (
        await createKey(
          tx,
          SERVER_OPERATOR,
          { name: `Demo (${scope})`, scopes: [scope], role: null, expiresAt: null, allowedCidrs: [] },
          OPERATOR.name,
        )
      ).key
    return { full: await key('full'), import: await key('import'), ticket_import: await key('ticket_import') }
  })
  const { token } = await db.inAccount(made.account.id, (tx) => makeLink(tx, SEATS.owner.email, 'sign_in'))
  return {
    name: NAME,
    account: made.account,
    keys,
    records: {
      ...records,
      ...late,
      trips: year.trips + trips.count,
      surveys: year.surveys,
      referral_codes: year.codes,
    },
    sharedTrip: `/s/${trips.shared}`,
    survey: year.survey,
    referral: year.referral,
    signIn: linkAddress('', token),
  }
}

/** Made-up rates of the months in which the agency sold, up to today. */
async function loadRates({ db }: Deps, today: string): Promise<void> {
  const rates = makeRates({ seed: SEED, from: calendarAround(today)(FIRST_RATE_DAY), to: today })
  await db.asSystem('load the rates of the demo agency', (tx) =>
    saveRates(tx, {
      source: SOURCE,
      base: RATES_BASE,
      rates: rates.map(({ day, currency, rate }) => ({ day, currency, baseUnits: rate, currencyUnits: '1' })),
    }),
  )
}

/** Bookings are invoiced afterwards, in the order of their invoice dates: an import dates invoices today. */
function withoutInvoices(agency: Partial<Agency>): { rows: Partial<Agency>; invoiced: InvoicedOn[] } {
  const invoiced: InvoicedOn[] = []
  const rows = Object.entries(agency).map(([entity, rows]) => [
    entity,
    rows.map(({ invoice_date, ...row }) => {
      if (invoice_date !== undefined)
        invoiced.push({ entity, external_id: row.external_id, invoice_date } as InvoicedOn)
      return row
    }),
  ])
  return { rows: Object.fromEntries(rows), invoiced }
}

type To = { readonly today: string; readonly account: number; readonly company: string; readonly branch: string }
/** Imports rows of the agency, entity by entity; returns the number of records of each. */
async function importAgency(
  { db }: Deps,
  { today, account, company, branch }: To,
  agency: Partial<Agency>,
): Promise<Record<string, number>> {
  const records: Record<string, number> = {}
  for (const importable of importables) {
    const rows = (agency as Partial<Record<string, Agency['customers']>>)[importable.entity.key]
    if (!rows) continue // the demo agency does not have everything, and some of it comes later
    const { counts } = await db.inAccount(account, async (tx) => {
      const place = { company: { id: company, ...COMPANY }, branch, timeZone: TIME_ZONE, policies: ALL_POLICIES }
      const desk = deskOf(place, await tx.now)
      return runBatch(tx, importable, {
        rows,
        source: SOURCE,
        desk: { ...desk, context: { ...desk.context, today } },
        named: { company: false, branch: false },
        onConflict: 'skip',
      })
    })
    records[importable.entity.key] = counts.created
  }
  return records
}
