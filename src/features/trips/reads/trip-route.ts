import { byId } from '../../../platform/http/by-id.ts'

/** What routes below `/trips` have in common. */
export const TRIPS = { name: 'Trips', description: 'Itineraries by day, and links to share them.' }
export const ofTrip = byId('trip')
