import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates in a folder `authority.pem`, `other-authority.pem`, and `server.crt` with `server.key`, the
 * certificate of the first for 127.0.0.1.
 */
export function makeCertificates(folder: string): void {
  const openssl = (...args: string[]): unknown =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const request = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  for (const name of ['authority', 'other-authority']) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    openssl(...request, '-x509', '-days', '2', '-subj', `/CN=${name}`, ...files);
  }
  openssl(...request, '-subj', '/CN=database', '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(join(folder, 'names'), 'subjectAltName = IP:127.0.0.1');
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-days', '2', '-out', 'server.crt'],
    ...['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'names'],
  );
}
