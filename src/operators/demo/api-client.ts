/** An HTTP client of the API with an access token. */
export class ApiClient {
  private token?: string;

  /** @param baseUrl with the prefix, such as `http://localhost:3000/api/v1` */
  constructor(private readonly baseUrl: string) {}

  async signUp(email: string, password: string): Promise<void> {
    await this.post('/auth/register', { email, password });
    const { access_token } = await this.request<{ access_token: string }>('/auth/login', {
      method: 'POST',
      body: new URLSearchParams({ username: email, password }),
    });
    this.token = access_token;
  }

  get<Body>(path: string): Promise<Body> {
    return this.request(path, { method: 'GET' });
  }

  post<Body>(path: string, body: object): Promise<Body> {
    return this.request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });
  }

  private async request<Body>(path: string, init: RequestInit): Promise<Body> {
    const headers = new Headers(init.headers);
    if (this.token !== undefined) headers.set('Authorization', `Bearer ${this.token}`);
    const response = await fetch(this.baseUrl + path, { ...init, headers });
    if (!response.ok) {
      throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as Body;
  }
}
