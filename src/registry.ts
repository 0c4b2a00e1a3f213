import { identityTable } from './catalogue/columns.ts'
import type { Config } from './config.ts'
import type { Deps, RouteTools } from './deps.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { agencyRoutes } from './features/accounts/agency.routes.ts'
import { branchRoutes } from './features/accounts/branches.routes.ts'
import { companyRoutes } from './features/accounts/companies.routes.ts'
import { apiKeyRoutes } from './features/api-keys/api-keys.routes.ts'
import { auditLogRoutes } from './features/audit/audit-log.routes.ts'
import { auditChainQueue } from './features/audit/chain.job.ts'
import { logChainHeads } from './features/audit/chain-heads.job.ts'
import { movesOfBirthdays } from './features/birthdays/commands/move-customer.ts'
import { greetBirthdays } from './features/birthdays/greet-birthdays.job.ts'
import type { BookingKind } from './features/bookings/booking-kind.ts'
import { bookingWriteRoutes } from './features/bookings/booking-writes.routes.ts'
import { bookingRoutes } from './features/bookings/bookings.routes.ts'
import { movesOfBookings } from './features/bookings/commands/move-customer.ts'
import { seatMoveOfBookings } from './features/bookings/commands/move-seat.ts'
import { bookingHistoryRoutes } from './features/bookings/history/booking-history.routes.ts'
import { optionWarnings } from './features/bookings/option-warnings.job.ts'
import { countOpenBookings } from './features/bookings/reads/count-open-bookings.ts'
import { carRentals } from './features/bookings/verticals/car-rentals.entity.ts'
import { charters } from './features/bookings/verticals/charters.entity.ts'
import { cruises } from './features/bookings/verticals/cruises.entity.ts'
import { events } from './features/bookings/verticals/events.entity.ts'
import { hotelStays } from './features/bookings/verticals/hotel-stays.entity.ts'
import { tickets } from './features/bookings/verticals/tickets/tickets.entity.ts'
import { tourBookings } from './features/bookings/verticals/tours/tour-bookings.entity.ts'
import { tourDepartures } from './features/bookings/verticals/tours/tour-departures.entity.ts'
import { transfers } from './features/bookings/verticals/transfers.entity.ts'
import { visaCases } from './features/bookings/verticals/visa-cases.entity.ts'
import { billingRoutes } from './features/bsp/billings.routes.ts'
import { movesOfCommunications } from './features/communications/commands/move-customer.ts'
import { communicationRoutes } from './features/communications/communications.routes.ts'
import { sendQueues } from './features/communications/sending/sends.job.ts'
import { templateRoutes } from './features/communications/templates.routes.ts'
import { movesOfCustomers } from './features/customers/commands/move-customer.ts'
import { customers } from './features/customers/customers.entity.ts'
import { customerRoutes } from './features/customers/customers.routes.ts'
import { noteRoutes, oneNoteRoutes } from './features/customers/notes.routes.ts'
import { restrictedTagRoutes } from './features/customers/restricted-tags.routes.ts'
import { dashboardRoutes } from './features/dashboards/dashboards.routes.ts'
import { factQueues } from './features/day-facts/day-facts.job.ts'
import { wakeDayFacts } from './features/day-facts/wake-day-facts.ts'
import { movesOfDocuments } from './features/documents/commands/move-customer.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { lastNumberRoutes } from './features/documents/last-number.routes.ts'
import { operatorInvoices } from './features/documents/operator-invoices.entity.ts'
import { supplierBills } from './features/documents/supplier-bills.entity.ts'
import { dailyRates } from './features/exchange-rates/daily-rates.job.ts'
import { filingQueue } from './features/filing/filing.job.ts'
import { filingRoutes } from './features/filing/filing.routes.ts'
import { wakeFiling } from './features/filing/filing-queue.ts'
import { movesOfLeads } from './features/leads/commands/move-customer.ts'
import { seatMoveOfLeads } from './features/leads/commands/move-seat.ts'
import { leads } from './features/leads/leads.entity.ts'
import { leadRoutes } from './features/leads/leads.routes.ts'
import { notifyOfImport } from './features/notifications/commands/notify-of-import.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { peopleRoutes } from './features/people/people.routes.ts'
import { roleRoutes } from './features/people/roles.routes.ts'
import { identityNumberRoutes } from './features/privacy/identity.routes.ts'
import { sweepRetention } from './features/privacy/retention/retention.job.ts'
import { retentionRoutes } from './features/privacy/retention/retention.routes.ts'
import { sealIdentity } from './features/privacy/seal-identity.job.ts'
import { movesOfReferrals } from './features/referrals/commands/move-customer.ts'
import { seatMoveOfReferrals } from './features/referrals/commands/move-seat.ts'
import { referralRoutes } from './features/referrals/referrals.routes.ts'
import { visitPurge } from './features/referrals/visit-purge.job.ts'
import { presetsOf } from './features/reports/presets.ts'
import { reportRoutes } from './features/reports/reports.routes.ts'
import { pausedSchedules } from './features/reports/saved/paused-schedules.job.ts'
import { savedReportRoutes } from './features/reports/saved/saved-reports.routes.ts'
import { scheduledReports } from './features/reports/saved/scheduled-reports.job.ts'
import { requestLogRoutes } from './features/request-log/request-log.routes.ts'
import { requestPurge } from './features/request-log/request-purge.job.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { emailRoutes } from './features/sign-in/email.routes.ts'
import { factorRoutes } from './features/sign-in/factors.routes.ts'
import { oidcRoutes } from './features/sign-in/oidc/oidc.routes.ts'
import { passkeyRoutes } from './features/sign-in/passkeys.routes.ts'
import { resetRoutes } from './features/sign-in/reset.routes.ts'
import { sessionRoutes } from './features/sign-in/sessions.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { signInPurge } from './features/sign-in/sign-in-purge.job.ts'
import { mayKnowOf } from './features/stream/event-kinds.ts'
import { streamPurge, streamQueue } from './features/stream/number-events.job.ts'
import { streamRoutes } from './features/stream/stream.routes.ts'
import { wakeStreams } from './features/stream/stream-queue.ts'
import { suppliers } from './features/suppliers/suppliers.entity.ts'
import { movesOfSurveys } from './features/surveys/commands/move-customer.ts'
import { surveyReminderQueue } from './features/surveys/survey-reminders.job.ts'
import { surveyRoutes } from './features/surveys/surveys.routes.ts'
import { movesOfTasks } from './features/tasks/commands/move-customer.ts'
import { seatMoveOfTasks } from './features/tasks/commands/move-seat.ts'
import { reminderQueue } from './features/tasks/reminders.job.ts'
import { taskRoutes } from './features/tasks/tasks.routes.ts'
import { ticketPrinterRoutes } from './features/ticket-printer/captures.routes.ts'
import { rereadRoutes } from './features/ticket-printer/reread.routes.ts'
import { timelineRoutes } from './features/timeline/timeline.routes.ts'
import { todayRoutes } from './features/today/today.routes.ts'
import { changedTripQueue, scheduleChangedTrips } from './features/trip-notifications/changed-trips.job.ts'
import { keepSchedules } from './features/trip-notifications/keep-schedules.job.ts'
import { notificationQueue } from './features/trip-notifications/notifications.job.ts'
import { valuesOfTrip } from './features/trip-notifications/reads/values-of-trip.ts'
import { sendDueNotifications } from './features/trip-notifications/send-due-notifications.ts'
import { tripNotificationRoutes } from './features/trip-notifications/trip-notifications.routes.ts'
import { attemptPurge } from './features/trip-pages/attempt-purge.job.ts'
import { previewRoutes } from './features/trip-pages/preview.routes.ts'
import { shareLinkRoutes } from './features/trip-pages/share-links.routes.ts'
import { movesOfTrips } from './features/trips/commands/move-customer.ts'
import { seatMoveOfTrips } from './features/trips/commands/move-seat.ts'
import { tripChangePurge } from './features/trips/editing/change-purge.job.ts'
import { dayEditRoutes } from './features/trips/editing/day-edit.routes.ts'
import { segmentEditRoutes } from './features/trips/editing/segment-edit.routes.ts'
import { travelerEditRoutes } from './features/trips/editing/traveler-edit.routes.ts'
import { tripEditRoutes } from './features/trips/editing/trip-edit.routes.ts'
import { tripRoutes } from './features/trips/trips.routes.ts'
import { fileSweep } from './features/uploads/file-sweep.job.ts'
import { uploadRoutes } from './features/uploads/uploads.routes.ts'
import { fanOutOf } from './features/webhooks/commands/fan-out.ts'
import { eventsOutbox } from './features/webhooks/commands/publish-events.ts'
import { deliveryQueue } from './features/webhooks/deliveries.job.ts'
import { deliveryRoutes } from './features/webhooks/deliveries.routes.ts'
import { deliveryPurge } from './features/webhooks/delivery-purge.job.ts'
import { fanOutQueue } from './features/webhooks/fan-out.job.ts'
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts'
import { importQueue } from './imports/batches/import-queue.ts'
import { payloadPurge } from './imports/batches/payload-purge.job.ts'
import type { Importable } from './imports/importable.ts'
import { importsRoutes } from './imports/imports.routes.ts'
import type { FollowUps } from './platform/db/database.ts'
import { idempotencyPurge } from './platform/http/idempotency.ts'
import { rateWindowPurge } from './platform/http/rate-limit.ts'
import type { Route } from './platform/http/route.ts'
import type { ScheduledJob } from './platform/jobs/schedule.ts'
import type { Queue } from './platform/jobs/workers.ts'
import type { Log } from './platform/log.ts'
import type { CustomerMove } from './records/customer-move.ts'
import type { SeatMove } from './records/seat-move.ts'

/** The verticals whose bookings are imported. */
const importedVerticals: readonly BookingKind[] = [tickets, hotelStays, transfers, cruises, carRentals, tourBookings]
/** The verticals whose bookings are created only in the application. */
const ownVerticals: readonly BookingKind[] = [charters, visaCases, events]
const bookingKinds = [...importedVerticals, ...ownVerticals]
const bookingKeys = bookingKinds.map(({ entity }) => entity.key)

/** Every entity, in an order in which each record finds those that it names. */
export const entities: readonly Importable[] = [
  customers,
  suppliers,
  leads,
  tourDepartures,
  ...importedVerticals,
  operatorInvoices(bookingKeys),
  supplierBills(bookingKeys),
  ...ownVerticals,
]
/** Every built-in report. */
const presets = presetsOf(bookingKinds.map(({ entity }) => entity))

/** What saved reports can be made of. */
export const reportSources = { presets, entities: entities.map(({ entity }) => entity) }

/** Those whose rows can be imported. */
export const importables: readonly Importable[] = entities.filter(({ entity }) => !entity.readOnly)

/** What importing batches works with. */
export const importing = { importables, onEnd: notifyOfImport }

/** What each feature moves when two customers are merged. */
export const customerMoves: readonly CustomerMove[] = [
  ...movesOfCustomers,
  ...movesOfTrips,
  ...movesOfBirthdays,
  ...movesOfBookings,
  ...movesOfLeads,
  ...movesOfDocuments,
  ...movesOfCommunications,
  ...movesOfReferrals,
  ...movesOfSurveys,
  ...movesOfTasks,
]

/** What is handed to another seat when one is deactivated. */
export const seatMoves: readonly SeatMove[] = [
  seatMoveOfTasks,
  seatMoveOfLeads,
  seatMoveOfTrips,
  seatMoveOfBookings,
  seatMoveOfReferrals,
]

/** Every route of the API. */
export const routesOf = ({
  config,
  ...tools
}: RouteTools & { config: Pick<Config, 'importLimits'> }): readonly Route[] => [
  ...accountRoutes,
  ...customerRoutes({ countOpenBookings, customerMoves }),
  ...noteRoutes,
  ...uploadRoutes,
  ...leadRoutes,
  ...taskRoutes,
  ...tripRoutes,
  ...tripNotificationRoutes,
  ...shareLinkRoutes,
  ...communicationRoutes,
  ...notificationRoutes,
  ...ticketPrinterRoutes(tools),
  ...rereadRoutes(tools),
  ...webhookRoutes(tools),
  ...deliveryRoutes,
  ...reportRoutes(presets),
  ...savedReportRoutes(reportSources),
  ...dashboardRoutes,
  ...importsRoutes(entities, config.importLimits),
]

/** Every route of the application API: those of the API, and what the console needs beside them. */
export const appRoutesOf = (tools: Parameters<typeof routesOf>[0]): readonly Route[] => [
  ...routesOf(tools),
  ...signInRoutes,
  ...sessionRoutes,
  ...oidcRoutes(tools),
  ...factorRoutes,
  ...resetRoutes,
  ...emailRoutes(tools),
  ...passkeyRoutes,
  ...bookingRoutes(bookingKinds),
  ...bookingWriteRoutes(bookingKinds),
  ...bookingHistoryRoutes,
  ...auditLogRoutes(tools),
  ...peopleRoutes({ ...tools, seatMoves }),
  ...roleRoutes,
  ...requestLogRoutes,
  ...apiKeyRoutes,
  ...templateRoutes({ valuesOfTrip }),
  ...restrictedTagRoutes,
  ...oneNoteRoutes,
  ...filingRoutes,
  ...previewRoutes,
  ...referralRoutes,
  ...surveyRoutes(tools),
  ...timelineRoutes,
  ...tripEditRoutes,
  ...dayEditRoutes,
  ...segmentEditRoutes,
  ...travelerEditRoutes,
  ...identityNumberRoutes,
  ...retentionRoutes,
  ...agencyRoutes,
  ...companyRoutes,
  ...branchRoutes,
  ...lastNumberRoutes,
  ...documentRoutes,
  ...billingRoutes,
  ...searchRoutes,
  ...streamRoutes,
  ...todayRoutes(presets),
]

/** What is notified of changed records. */
export const fanOut = fanOutOf(entities.map(({ entity }) => entity))
const published = entities.map(({ entity }) => entity)
/** Which changes a role may know of. */
export const mayKnow = mayKnowOf(published.map(({ key }) => key))
/** The work that follows from the writes of an account's transaction. */
export const followUpsOf = (log: Pick<Log, 'warn'>): FollowUps => ({
  outboxOf: eventsOutbox(fanOut, log),
  beforeCommit: [wakeFiling, wakeDayFacts, scheduleChangedTrips, wakeStreams(published.map(identityTable))],
})

const numberStreamEvents = streamQueue(published)
/** The work that waits in queues. */
export const queuesOf = (deps: Deps): readonly Queue[] => [
  importQueue({ ...deps, ...importing }),
  reminderQueue(deps),
  fanOutQueue(deps, fanOut),
  deliveryQueue(deps),
  filingQueue(deps),
  ...factQueues(deps),
  changedTripQueue(deps),
  notificationQueue(deps, sendDueNotifications(deps)),
  surveyReminderQueue(deps),
  auditChainQueue(deps),
  numberStreamEvents(deps),
  ...sendQueues(deps),
  scheduledReports(deps, reportSources),
]

/** The work that comes due by the clock. */
export const scheduledJobs: readonly ScheduledJob<Deps>[] = [
  dailyRates,
  optionWarnings,
  greetBirthdays,
  keepSchedules,
  pausedSchedules,
  fileSweep,
  payloadPurge,
  idempotencyPurge,
  rateWindowPurge,
  deliveryPurge,
  visitPurge,
  attemptPurge,
  signInPurge,
  logChainHeads,
  requestPurge,
  tripChangePurge,
  sealIdentity,
  sweepRetention,
  streamPurge,
]
