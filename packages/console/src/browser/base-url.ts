/** Where the service is: the console is a folder of it. */
export const BASE_URL: string = new URL("..", location.href).href;
