# The calculation server as an image; docs/containers.md says what each holds.
#
#     docker build -t gpuodds .                        CPU
#     docker build -t gpuodds:cuda --target cuda .     the same, with the CUDA backend

FROM python:3.13-slim-trixie AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY gpuodds gpuodds
COPY cli cli
COPY kernels kernels
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel .
RUN python -m venv --without-pip /opt/gpuodds \
    && pip --python /opt/gpuodds/bin/python install --no-cache-dir "$(echo /wheel/*.whl)[server]"

FROM python:3.13-slim-trixie AS server
# Compiled code is for this kind of CPU, so that it need not be compiled again on another: x86-64-v3 has AVX2.
ARG CPU=x86-64-v3
ENV PATH=/opt/gpuodds/bin:$PATH \
    HOME=/tmp \
    NUMBA_CACHE_DIR=/var/cache/gpuodds/numba \
    NUMBA_CPU_NAME=$CPU \
    NUMBA_CPU_FEATURES=
RUN useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin gpuodds \
    && install -d -o gpuodds -g gpuodds /var/cache/gpuodds/answers /var/cache/gpuodds/cupy
COPY --from=build /opt/gpuodds /opt/gpuodds
# Root's, so that any user of the image loads it.
RUN gpuodds doctor --warm && gpuodds doctor --warm --game omaha
USER 10001
LABEL org.opencontainers.image.title="gpuodds" \
      org.opencontainers.image.description="Exact poker equity over HTTP and WebSocket, with a page" \
      org.opencontainers.image.licenses="MIT AND OFL-1.1"
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["gpuodds"]
# Beyond the container the server wants a token: docker run -e GPUODDS_TOKEN=...
CMD ["serve", "--host", "0.0.0.0", "--cache", "memory"]

FROM server AS cuda
USER 0
# The wheels bring NVRTC and the runtime; the driver comes from the host, by NVIDIA's container toolkit.
RUN --mount=type=bind,from=build,source=/wheel,target=/wheel \
    pip --python /opt/gpuodds/bin/python install --no-cache-dir "$(echo /wheel/*.whl)[server,cuda13]"
ENV CUPY_CACHE_DIR=/var/cache/gpuodds/cupy \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility \
    NVIDIA_VISIBLE_DEVICES=all
USER 10001

# Without --target the last stage is built.
FROM server AS cpu
