/** Prefix of the sessions in which `guardkit doctor` plays an agent to test the hooks. */
export const DOCTOR_SESSION = 'guardkit-doctor-';

/** Actions in such a session are not attributed to anyone, and nothing is learned from them. */
export function isDoctorSession(session: string): boolean {
  return session.startsWith(DOCTOR_SESSION);
}
